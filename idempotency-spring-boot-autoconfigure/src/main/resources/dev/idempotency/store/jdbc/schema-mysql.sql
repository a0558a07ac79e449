CREATE TABLE IF NOT EXISTS idempotency_message (
  namespace VARBINARY(255) NOT NULL,
  consumer VARBINARY(255) NOT NULL,
  message_id VARBINARY(255) NOT NULL,
  status CHAR(1) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  owner VARBINARY(255),
  locked_until BIGINT,
  expires_at BIGINT NOT NULL,
  claimed_at BIGINT,
  PRIMARY KEY (namespace, consumer, message_id),
  INDEX idempotency_message_expires_at (expires_at)
) ENGINE = InnoDB;
