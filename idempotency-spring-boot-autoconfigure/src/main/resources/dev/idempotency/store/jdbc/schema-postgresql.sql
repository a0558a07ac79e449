CREATE TABLE IF NOT EXISTS idempotency_message (
  namespace VARCHAR(255) COLLATE "C" NOT NULL,
  consumer VARCHAR(255) COLLATE "C" NOT NULL,
  message_id VARCHAR(255) COLLATE "C" NOT NULL,
  status CHAR(1) NOT NULL,
  owner VARCHAR(255) COLLATE "C",
  locked_until BIGINT,
  expires_at BIGINT NOT NULL,
  claimed_at BIGINT,
  PRIMARY KEY (namespace, consumer, message_id)
);

CREATE INDEX IF NOT EXISTS idempotency_message_expires_at ON idempotency_message (expires_at);
