-- Values written by hand must leave room for the arithmetic of every statement: counts of up
-- to a billion, durations of up to 36,500 days. A job that is given back after its attempts
-- were set to 0 has -1 of them. A CHECK of a table is parsed and planned anew by each
-- statement that writes a row, that of a domain once for each session.
CREATE DOMAIN jobqueue_attempts AS integer CHECK (VALUE BETWEEN -1000000000 AND 1000000000);

CREATE DOMAIN jobqueue_failures AS integer CHECK (VALUE BETWEEN 0 AND 1000000000);

CREATE DOMAIN jobqueue_max_attempts AS integer CHECK (VALUE >= 0);

CREATE DOMAIN jobqueue_millis AS bigint CHECK (VALUE BETWEEN 0 AND 3153600000000);

-- Jobs that are not finished. Wide columns first, so that none is padded. A claim writes
-- attempts, claim, locked_by, lease_until and at_most_once: no index names them, and pages
-- have room, so that a claim is a HOT update. A job that waits for another one to finish is
-- due at infinity: no claim passes it, however many there are. due_at is when it may run
-- then, and follows the job that it waits for. A retry that is held back while others of its
-- queue fail is due at infinity, too; it has failures, follows nothing, and has no admission.
-- So is a job with an ordering or a limit key that is not admitted; its admission is PENDING
-- until it is evaluated, and again when it was the next of its key, ORDER while others of its
-- ordering key come first, and SLOT while others of its limit key have all slots. An admitted
-- job has no admission, and is claimed like any other. expected_failures is NULL for most,
-- which takes no room: such failures are not among failures, and do not count towards
-- max_attempts. A statement that gives a job its attempts anew sets attempts and failures to
-- 0 and expected_failures to NULL; what is archived has the same three.
-- A job that was replayed has an id of its own and names its ancestor, which was archived.
-- Once cancel_requested, a job is not claimed any more; the archive keeps it for
-- keep_cancelled_millis then.
CREATE TABLE jobqueue_job (
    id             uuid        NOT NULL,
    seq            bigint      GENERATED ALWAYS AS IDENTITY,
    run_at         timestamptz NOT NULL,
    created_at     timestamptz NOT NULL,
    due_at         timestamptz,
    max_run_millis jobqueue_millis,
    dedupe_millis  jobqueue_millis,
    keep_cancelled_millis jobqueue_millis,
    claim          bigint,
    lease_until    timestamptz,
    locked_by      uuid,
    follows        uuid,
    ancestor_id    uuid,
    attempts       jobqueue_attempts     NOT NULL DEFAULT 0,
    failures       jobqueue_failures     NOT NULL DEFAULT 0,
    expected_failures jobqueue_failures,
    max_attempts   jobqueue_max_attempts,
    priority       smallint    NOT NULL,
    progress_percent smallint,
    at_most_once   boolean     NOT NULL DEFAULT false,
    cancel_requested boolean   NOT NULL DEFAULT false,
    queue          text        NOT NULL,
    type           text        NOT NULL,
    payload        text,
    payload_bytes  bytea,
    headers        text,
    unique_key     text,
    ordering_key   text,
    limit_key      text,
    admission      text,
    job_group      text,
    progress_message text,
    last_error     text,
    CONSTRAINT jobqueue_job_pkey PRIMARY KEY (id),
    CONSTRAINT jobqueue_job_priority CHECK (priority BETWEEN 0 AND 99),
    CONSTRAINT jobqueue_job_one_payload CHECK ((payload IS NULL) <> (payload_bytes IS NULL)),
    CONSTRAINT jobqueue_job_blocked CHECK ((run_at = 'infinity') = (due_at IS NOT NULL)
        AND isfinite(coalesce(due_at, run_at))),
    CONSTRAINT jobqueue_job_admission CHECK (admission IS NULL OR (due_at IS NOT NULL AND admission IN ('PENDING', 'ORDER', 'SLOT')))
) WITH (
    fillfactor = 45,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_scale_factor = 0.05,
    autovacuum_analyze_threshold = 2000
);

CREATE INDEX jobqueue_job_fetch ON jobqueue_job (queue, priority, run_at, seq);

-- The way from a finished job to the one that waits for it.
CREATE INDEX jobqueue_job_follows ON jobqueue_job (follows) WHERE follows IS NOT NULL;

-- Only jobs with an ordering or a limit key pay for these: those to be evaluated, all
-- of an ordering key, those that wait for their turn or for a slot, and those that are admitted.
CREATE INDEX jobqueue_job_pending ON jobqueue_job (queue, priority, due_at, seq) WHERE admission = 'PENDING';
CREATE INDEX jobqueue_job_ordered ON jobqueue_job (queue, ordering_key, seq) WHERE ordering_key IS NOT NULL;
CREATE INDEX jobqueue_job_behind ON jobqueue_job (queue, ordering_key) WHERE admission = 'ORDER';
CREATE INDEX jobqueue_job_slot ON jobqueue_job (queue, limit_key, priority, due_at, seq) WHERE admission = 'SLOT';
CREATE INDEX jobqueue_job_in_turn ON jobqueue_job (queue, ordering_key)
    WHERE ordering_key IS NOT NULL AND due_at IS NULL;
CREATE INDEX jobqueue_job_in_slot ON jobqueue_job (queue, limit_key) WHERE limit_key IS NOT NULL AND due_at IS NULL;

-- Jobs that are counted together, and listed in the order of claims. No other job pays for
-- it, nor for that of the archive.
CREATE INDEX jobqueue_job_group ON jobqueue_job (job_group, queue, priority, run_at, seq) WHERE job_group IS NOT NULL;

-- Requests that no worker has read yet. It names no column that a claim writes.
CREATE INDEX jobqueue_job_cancel ON jobqueue_job (id) WHERE cancel_requested;

-- For gauges, and lists of what failed. They hold failed jobs only, and no job at its first
-- attempt pays for them.
CREATE INDEX jobqueue_job_failures ON jobqueue_job (queue, priority, failures) WHERE failures > 0;
CREATE INDEX jobqueue_job_retrying ON jobqueue_job (queue, priority, run_at, seq)
    WHERE failures > 0 OR expected_failures IS NOT NULL;

-- Retries that are held back, and the one to let out next.
CREATE INDEX jobqueue_job_held ON jobqueue_job (queue, priority, due_at) 
    WHERE failures > 0 AND due_at IS NOT NULL AND admission IS NULL;

-- For gauges too: without it, the planner takes queue, priority and failures for independent.
CREATE STATISTICS jobqueue_job_tiers (mcv) ON queue, priority, failures, expected_failures FROM jobqueue_job;

-- Jobs that are finished.
CREATE TABLE jobqueue_archive (
    id             uuid        NOT NULL,
    seq            bigint      NOT NULL,
    run_at         timestamptz NOT NULL,
    created_at     timestamptz NOT NULL,
    finished_at    timestamptz NOT NULL,
    keep_until     timestamptz,
    max_run_millis bigint,
    dedupe_millis  bigint,
    locked_by      uuid,
    ancestor_id    uuid,
    attempts       integer     NOT NULL,
    failures       integer     NOT NULL,
    expected_failures integer,
    max_attempts   integer,
    priority       smallint    NOT NULL,
    progress_percent smallint,
    state          text        NOT NULL,
    queue          text        NOT NULL,
    type           text        NOT NULL,
    payload        text,
    payload_bytes  bytea,
    headers        text,
    unique_key     text,
    ordering_key   text,
    limit_key      text,
    job_group      text,
    progress_message text,
    last_error     text,
    CONSTRAINT jobqueue_archive_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

CREATE INDEX jobqueue_archive_group ON jobqueue_archive (job_group, queue, id) WHERE job_group IS NOT NULL;

-- For lists, newest first. No success without a key pays for these. The conditions are
-- worded so that the planner does not use it for searches of dead jobs.
CREATE INDEX jobqueue_archive_key ON jobqueue_archive (queue, unique_key, id) WHERE unique_key IS NOT NULL;
CREATE INDEX jobqueue_archive_unsuccessful ON jobqueue_archive (id) WHERE (state = 'SUCCEEDED') IS FALSE;
CREATE INDEX jobqueue_archive_unsuccessful_of_queue ON jobqueue_archive (queue, id) WHERE (state = 'SUCCEEDED') IS FALSE;

CREATE INDEX jobqueue_archive_keep_until ON jobqueue_archive (keep_until) WHERE keep_until IS NOT NULL;

-- Where the dead hold their ordering key.
CREATE INDEX jobqueue_archive_dead_head ON jobqueue_archive (queue, ordering_key)
    WHERE ordering_key IS NOT NULL AND state = 'DEAD';

-- One row per worker, alive until it has been silent for its timeout. Workers of one service
-- serve the same queues, types and priorities; those with nothing to do share the polling.
-- Its limits are those of its queues that hold over all workers, as text, for others to compare.
CREATE TABLE jobqueue_worker (
    id             uuid        NOT NULL,
    last_active_at timestamptz NOT NULL,
    started_at     timestamptz NOT NULL,
    timeout_millis bigint      NOT NULL,
    service        uuid        NOT NULL,
    idle           boolean     NOT NULL,
    name           text        NOT NULL,
    queues         text        NOT NULL,
    limits         text        NOT NULL DEFAULT '',
    CONSTRAINT jobqueue_worker_pkey PRIMARY KEY (id)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 100);

-- One row per claim that still has jobs to be settled: the way to claimed jobs that no index
-- leads to, and what any node needs to know to take them away. Where a claim took all that it
-- wanted, it records the range: workers of the same service need not look there.
-- limited_types, NULL for most, are types with options of their own: type_max_attempts has
-- a limit for each, or NULL where that of the queue holds.
CREATE TABLE jobqueue_claim (
    worker_id        uuid        NOT NULL,
    claim            bigint      NOT NULL,
    expires_at       timestamptz NOT NULL,
    keep_dead_millis bigint,
    looked_at        timestamptz,
    from_run_at      timestamptz,
    from_seq         bigint,
    to_run_at        timestamptz,
    to_seq           bigint,
    service          uuid,
    max_attempts     integer     NOT NULL,
    priority         smallint,
    limited          boolean     NOT NULL DEFAULT false,
    queue            text        NOT NULL,
    job_ids          uuid[]      NOT NULL,
    limited_types    text[],
    type_max_attempts integer[],
    CONSTRAINT jobqueue_claim_pkey PRIMARY KEY (worker_id, claim)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

CREATE INDEX jobqueue_claim_stretch ON jobqueue_claim (service, queue, priority, to_run_at, to_seq)
    WHERE service IS NOT NULL;

-- Those of queues whose claims are limited over all workers, to be counted.
CREATE INDEX jobqueue_claim_limited ON jobqueue_claim (queue) WHERE limited;

-- How many jobs of a queue were claimed from a time to another, where their rate is limited.
-- The rows of the last period are what counts; each is taken for claimed at its end.
CREATE TABLE jobqueue_rate (
    began_at       timestamptz NOT NULL,
    ended_at       timestamptz NOT NULL,
    jobs           integer     NOT NULL,
    queue          text        NOT NULL,
    CONSTRAINT jobqueue_rate_pkey PRIMARY KEY (queue, began_at)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

-- Who has a unique key: a job, and the one that follows it if it was requeued while it ran.
-- The row may outlive the jobs for a while; what counts is whether they still exist. An
-- enqueue with the key locks the row; nothing else waits for it. used_by is the last
-- transaction that did.
CREATE TABLE jobqueue_key (
    job_id         uuid        NOT NULL,
    follow_up_id   uuid,
    used_by        xid8        NOT NULL,
    queue          text        NOT NULL,
    unique_key     text        NOT NULL,
    CONSTRAINT jobqueue_key_pkey PRIMARY KEY (queue, unique_key)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- What no worker claims until it is resumed: a queue, or one type of it. Each worker knows
-- these in memory.
CREATE TABLE jobqueue_pause (
    paused_at      timestamptz NOT NULL,
    queue          text        NOT NULL,
    type           text        NOT NULL DEFAULT '',
    paused_by      text,
    CONSTRAINT jobqueue_pause_pkey PRIMARY KEY (queue, type)
);

-- Until when a key stays taken after its job has succeeded, whatever the archive keeps.
CREATE TABLE jobqueue_dedupe (
    job_id         uuid        NOT NULL,
    ends_at        timestamptz NOT NULL,
    queue          text        NOT NULL,
    unique_key     text        NOT NULL,
    CONSTRAINT jobqueue_dedupe_pkey PRIMARY KEY (queue, unique_key)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX jobqueue_dedupe_ends_at ON jobqueue_dedupe (ends_at);

-- Live and finished jobs with their state, to be read by people. Counts lose their domain: where
-- the types of the two halves differ, PostgreSQL reads all of both.
CREATE VIEW jobqueue_jobs AS
SELECT id, seq, queue, type, payload, payload_bytes, headers, priority, coalesce(due_at, run_at) AS run_at,
       attempts::integer, failures::integer, coalesce(expected_failures, 0)::integer AS expected_failures,
       max_attempts::integer, created_at, unique_key,
       ordering_key, limit_key, job_group, lease_until, locked_by, last_error,
       CASE WHEN follows IS NOT NULL OR admission IN ('ORDER', 'SLOT') THEN 'BLOCKED'
            WHEN locked_by IS NOT NULL THEN 'RUNNING'
            WHEN CASE WHEN admission = 'PENDING' THEN due_at ELSE run_at END <= statement_timestamp() THEN 'READY'
            WHEN failures > 0 OR expected_failures > 0 THEN 'RETRYING'
            ELSE 'SCHEDULED' END AS state,
       NULL::timestamptz AS finished_at, cancel_requested,
       progress_percent, progress_message, ancestor_id
FROM jobqueue_job
UNION ALL
SELECT id, seq, queue, type, payload, payload_bytes, headers, priority, run_at, attempts, failures,
       coalesce(expected_failures, 0), max_attempts, created_at, unique_key, ordering_key, limit_key, job_group, NULL,
       locked_by, last_error, state, finished_at,
       state = 'CANCELLED', progress_percent, progress_message, ancestor_id
FROM jobqueue_archive;

-- The migrations that this schema has had, by Flyway or by hand.
CREATE TABLE jobqueue_version (
    version integer NOT NULL,
    CONSTRAINT jobqueue_version_pkey PRIMARY KEY (version)
);

INSERT INTO jobqueue_version (version) VALUES (1);
