-- A digest has the time of its tick, so that each attempt of its job mails the same one.
CREATE TABLE digest (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tick      timestamptz NOT NULL UNIQUE,
    mailed_at timestamptz
);

ALTER TABLE signup ADD COLUMN digest_id bigint REFERENCES digest;

CREATE INDEX signup_digest ON signup (digest_id);
