CREATE TABLE signup (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    name       text        NOT NULL,
    email      text        NOT NULL,
    token      text        NOT NULL UNIQUE,
    status     text        NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'MAILED', 'VERIFIED'))
);
