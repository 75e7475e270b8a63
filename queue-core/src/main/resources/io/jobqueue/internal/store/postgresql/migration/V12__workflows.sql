-- Instances of workflows. Every statement that changes the states of steps increments
-- version: the next states are written only if the version is the one that was read.
-- parent_id and root_id are those of the jobs of all steps.
CREATE TABLE jobqueue_workflow (
    id             uuid        NOT NULL,
    created_at     timestamptz NOT NULL,
    finished_at    timestamptz,
    version        bigint      NOT NULL DEFAULT 0,
    parent_id      uuid,
    root_id        uuid,
    cancel_requested boolean   NOT NULL DEFAULT false,
    state          text        NOT NULL,
    name           text        NOT NULL,
    CONSTRAINT jobqueue_workflow_pkey PRIMARY KEY (id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- Finds instances to advance, to list, and to purge.
CREATE INDEX jobqueue_workflow_running ON jobqueue_workflow (id) WHERE finished_at IS NULL;
CREATE INDEX jobqueue_workflow_name ON jobqueue_workflow (name, id);
CREATE INDEX jobqueue_workflow_finished ON jobqueue_workflow (finished_at) WHERE finished_at IS NOT NULL;

-- The steps of instances, each after all that its conditions name. The columns from
-- max_attempts to job_group are those of its job, which is inserted when the step begins;
-- run_at, delay and expiry are kept as requested, since they count from then on. Only the
-- outcome of the job writes branch and result. No index names a column that changes while
-- an instance runs, so that a change of a step is a HOT update.
CREATE TABLE jobqueue_workflow_step (
    workflow_id    uuid        NOT NULL,
    job_id         uuid        NOT NULL,
    changed_at     timestamptz NOT NULL,
    run_at         timestamptz,
    delay_millis   bigint      NOT NULL,
    expires_millis bigint,
    max_run_millis bigint,
    max_attempts   integer,
    priority       smallint    NOT NULL,
    position       smallint    NOT NULL,
    state          text        NOT NULL,
    name           text        NOT NULL,
    conditions     text[]      NOT NULL,
    queue          text        NOT NULL,
    type           text        NOT NULL,
    payload        text,
    payload_bytes  bytea,
    headers        text,
    ordering_key   text,
    limit_key      text,
    job_group      text,
    branch         text,
    result         text,
    result_bytes   bytea,
    CONSTRAINT jobqueue_workflow_step_pkey PRIMARY KEY (workflow_id, position)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- Finds the step of a job that has ended.
CREATE INDEX jobqueue_workflow_step_job ON jobqueue_workflow_step (job_id);

INSERT INTO jobqueue_version (version) VALUES (12);
