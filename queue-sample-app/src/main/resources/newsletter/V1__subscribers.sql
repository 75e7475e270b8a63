CREATE TABLE subscriber (
    email         text        PRIMARY KEY,
    name          text        NOT NULL,
    subscribed_at timestamptz NOT NULL DEFAULT now()
);
