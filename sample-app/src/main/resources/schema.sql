-- No key: a payment that is made twice must be seen. Times are milliseconds since 1970 UTC.
create table if not exists payment (
  order_id varchar(64) not null,
  amount decimal(12, 2) not null,
  charged_at bigint not null
);
