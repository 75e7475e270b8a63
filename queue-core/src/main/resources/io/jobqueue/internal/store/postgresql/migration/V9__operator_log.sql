-- What operators did, for 90 days. The transaction that changes jobs inserts the row, or adds
-- to that of an operation in steps: such a row is there before the first step, steps counts
-- the steps that have begun, and ended_at is the time of the last change. affected is NULL for
-- operations that do not count jobs. An operator whose name is not known is NULL.
CREATE TABLE jobqueue_operator_log (
    id             uuid        NOT NULL,
    at             timestamptz NOT NULL,
    ended_at       timestamptz,
    affected       bigint,
    steps          integer,
    operation      text        NOT NULL,
    value          text,
    subject        text        NOT NULL,
    operator       text,
    reason         text,
    CONSTRAINT jobqueue_operator_log_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

-- Lists the operations, latest first, and finds those to purge.
CREATE INDEX jobqueue_operator_log_at ON jobqueue_operator_log (at, id);

-- Operations of applications without a login are not in this index.
CREATE INDEX jobqueue_operator_log_operator ON jobqueue_operator_log (operator, at, id) WHERE operator IS NOT NULL;

INSERT INTO jobqueue_version (version) VALUES (9);
