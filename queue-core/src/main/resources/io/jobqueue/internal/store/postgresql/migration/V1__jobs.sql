-- The limits keep values that SQL of the application writes in the range of every statement:
-- counts of up to a billion, durations of up to 36,500 days. A job that is released after
-- its attempts were set to 0 has -1 attempts. These are domains because PostgreSQL parses
-- and plans the CHECK of a table in each statement that writes a row, but the CHECK of a
-- domain once for each session.
CREATE DOMAIN jobqueue_attempts AS integer CHECK (VALUE BETWEEN -1000000000 AND 1000000000);

CREATE DOMAIN jobqueue_failures AS integer CHECK (VALUE BETWEEN 0 AND 1000000000);

CREATE DOMAIN jobqueue_max_attempts AS integer CHECK (VALUE >= 0);

CREATE DOMAIN jobqueue_millis AS bigint CHECK (VALUE BETWEEN 0 AND 3153600000000);

CREATE DOMAIN jobqueue_priority AS smallint CHECK (VALUE BETWEEN 0 AND 99);

CREATE DOMAIN jobqueue_admission AS text CHECK (VALUE IN ('PENDING', 'ORDER', 'SLOT', 'PREDECESSORS'));

-- Live jobs. Wide columns come first, so that no column is padded. A claim writes attempts,
-- claim, locked_by, lease_until and at_most_once: no index contains these columns, and
-- pages have free space, so that a claim is a HOT update. A job that follows another one
-- has run_at at infinity, so that claims do not read it; due_at is the time it is due after
-- that, and follows is the id of the other job. A retry that is held back while jobs of its
-- queue fail has run_at at infinity, too; it has failures, but neither follows nor
-- admission. A job with an ordering or a limit key that is not admitted also has run_at at
-- infinity. Its admission is PENDING until it is evaluated and when a key that it waits for
-- is released, ORDER while others of its ordering key come first, and SLOT while others of
-- its limit key occupy all slots. The admission of an admitted job is NULL, and it is
-- claimed like any other. A job that waits for its predecessors has run_at at infinity and
-- the admission PREDECESSORS, even if it follows another job as well; has_successors is
-- true for a job that others wait for, and NULL for most jobs. expected_failures is NULL
-- for most jobs, which takes no space; these failures are not counted in failures, nor
-- towards max_attempts. A statement that resets the attempts of a job sets attempts and
-- failures to 0 and expected_failures to NULL; the archive keeps all three. A replayed copy
-- has an id of its own, and ancestor_id is the id of the archived job. A job that a handler
-- enqueued has the id of that handler's job in parent_id, and in root_id the id of the
-- first job of the family; both are NULL for other jobs, also for the first one itself. A
-- member of a batch has its id in batch_id, the callbacks of the batch do not. A job with
-- cancel_requested is not claimed any more; the archive keeps it for keep_cancelled_millis.
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
    parent_id      uuid,
    root_id        uuid,
    batch_id       uuid,
    attempts       jobqueue_attempts     NOT NULL DEFAULT 0,
    failures       jobqueue_failures     NOT NULL DEFAULT 0,
    expected_failures jobqueue_failures,
    max_attempts   jobqueue_max_attempts,
    priority       jobqueue_priority     NOT NULL,
    progress_percent smallint,
    at_most_once   boolean     NOT NULL DEFAULT false,
    cancel_requested boolean   NOT NULL DEFAULT false,
    has_successors boolean,
    queue          text        NOT NULL,
    type           text        NOT NULL,
    payload        text,
    payload_bytes  bytea,
    headers        text,
    unique_key     text,
    ordering_key   text,
    limit_key      text,
    admission      jobqueue_admission,
    job_group      text,
    progress_message text,
    last_error     text,
    CONSTRAINT jobqueue_job_pkey PRIMARY KEY (id),
    CONSTRAINT jobqueue_job_one_payload CHECK ((payload IS NULL) <> (payload_bytes IS NULL)),
    CONSTRAINT jobqueue_job_blocked CHECK ((run_at = 'infinity') = (due_at IS NOT NULL)
        AND isfinite(coalesce(due_at, run_at))),
    CONSTRAINT jobqueue_job_admission CHECK (admission IS NULL OR due_at IS NOT NULL)
) WITH (
    fillfactor = 45,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_scale_factor = 0.05,
    autovacuum_analyze_threshold = 2000
);

CREATE INDEX jobqueue_job_fetch ON jobqueue_job (queue, priority, run_at, seq);

-- Finds the jobs that follow a finished job.
CREATE INDEX jobqueue_job_follows ON jobqueue_job (follows) WHERE follows IS NOT NULL;

-- Only jobs with an ordering or a limit key are in these indexes: pending jobs, all jobs of
-- an ordering key, jobs that wait for their turn or for a slot, and admitted jobs of both
-- kinds of keys.
CREATE INDEX jobqueue_job_pending ON jobqueue_job (queue, priority, due_at, seq) WHERE admission = 'PENDING';
CREATE INDEX jobqueue_job_ordered ON jobqueue_job (queue, ordering_key, seq) WHERE ordering_key IS NOT NULL;
CREATE INDEX jobqueue_job_behind ON jobqueue_job (queue, ordering_key) WHERE admission = 'ORDER';
CREATE INDEX jobqueue_job_slot ON jobqueue_job (queue, limit_key, priority, due_at, seq) WHERE admission = 'SLOT';
CREATE INDEX jobqueue_job_in_turn ON jobqueue_job (queue, ordering_key)
    WHERE ordering_key IS NOT NULL AND due_at IS NULL;
CREATE INDEX jobqueue_job_in_slot ON jobqueue_job (queue, limit_key) WHERE limit_key IS NOT NULL AND due_at IS NULL;

-- Counts the jobs of a group, and lists them in the order of claims. Only jobs with a group
-- are in this index and in that of the archive.
CREATE INDEX jobqueue_job_group ON jobqueue_job (job_group, queue, priority, run_at, seq) WHERE job_group IS NOT NULL;

-- Finds the jobs of a family. Only jobs that a handler enqueued are in this index and in
-- that of the archive.
CREATE INDEX jobqueue_job_family ON jobqueue_job (root_id) WHERE root_id IS NOT NULL;

-- Finds jobs with a cancel request. It contains no column that a claim writes.
CREATE INDEX jobqueue_job_cancel ON jobqueue_job (id) WHERE cancel_requested;

-- For gauges, and for lists of failed jobs. Jobs without a failure are not in these
-- indexes.
CREATE INDEX jobqueue_job_failures ON jobqueue_job (queue, priority, failures) WHERE failures > 0;
CREATE INDEX jobqueue_job_retrying ON jobqueue_job (queue, priority, run_at, seq)
    WHERE failures > 0 OR expected_failures IS NOT NULL;

-- Finds the retries that are held back, and the next ones to let out.
CREATE INDEX jobqueue_job_held ON jobqueue_job (queue, priority, due_at) 
    WHERE failures > 0 AND due_at IS NOT NULL AND admission IS NULL;

-- For gauges: without these statistics, the planner assumes that queue, priority and
-- failures are independent.
CREATE STATISTICS jobqueue_job_tiers (mcv) ON queue, priority, failures, expected_failures FROM jobqueue_job;

-- Finished jobs.
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
    parent_id      uuid,
    root_id        uuid,
    batch_id       uuid,
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

CREATE INDEX jobqueue_archive_family ON jobqueue_archive (root_id, id) WHERE root_id IS NOT NULL;

-- For lists, newest first. Succeeded jobs without a unique key are in none of these
-- indexes. The conditions IS FALSE keep the planner from using the indexes for searches of
-- dead jobs.
CREATE INDEX jobqueue_archive_key ON jobqueue_archive (queue, unique_key, id) WHERE unique_key IS NOT NULL;
CREATE INDEX jobqueue_archive_unsuccessful ON jobqueue_archive (id) WHERE (state = 'SUCCEEDED') IS FALSE;
CREATE INDEX jobqueue_archive_unsuccessful_of_queue ON jobqueue_archive (queue, id) WHERE (state = 'SUCCEEDED') IS FALSE;

CREATE INDEX jobqueue_archive_keep_until ON jobqueue_archive (keep_until) WHERE keep_until IS NOT NULL;

-- Finds dead jobs that block their ordering key.
CREATE INDEX jobqueue_archive_dead_head ON jobqueue_archive (queue, ordering_key)
    WHERE ordering_key IS NOT NULL AND state = 'DEAD';

-- The predecessors of jobs that wait. The transaction that enqueues a job inserts its rows;
-- its release or its end deletes them. satisfied is true once the predecessor has succeeded,
-- or has failed and on_failure is RUN; failed is true while the predecessor is dead,
-- cancelled or deleted and on_failure is not RUN. satisfied is in no index, so that setting
-- it is a HOT update.
CREATE TABLE jobqueue_dependency (
    predecessor_id uuid        NOT NULL,
    job_id         uuid        NOT NULL,
    satisfied      boolean     NOT NULL DEFAULT false,
    failed         boolean     NOT NULL DEFAULT false,
    on_failure     text        NOT NULL CHECK (on_failure IN ('WAIT', 'RUN', 'FAIL')),
    CONSTRAINT jobqueue_dependency_pkey PRIMARY KEY (predecessor_id, job_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

CREATE INDEX jobqueue_dependency_job ON jobqueue_dependency (job_id);

-- Counts the jobs that wait for a failed predecessor.
CREATE INDEX jobqueue_dependency_failed ON jobqueue_dependency (job_id) WHERE failed;

-- Jobs that did not succeed and are not in the archive, or no longer. These rows tell jobs
-- that wait for them that they have failed, also jobs whose transaction was open then. They
-- are deleted after a day, once no job waits.
CREATE TABLE jobqueue_unarchived (
    removed_at     timestamptz NOT NULL,
    id             uuid        NOT NULL,
    CONSTRAINT jobqueue_unarchived_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

CREATE INDEX jobqueue_unarchived_removed_at ON jobqueue_unarchived (removed_at);

-- Batches, and the two callbacks that wait for their end: jobs with the admission
-- PREDECESSORS. The counts are 0 until finished_at. A transaction that adds members holds
-- a shared lock of the row, so that none is open when the batch is sealed.
CREATE TABLE jobqueue_batch (
    id             uuid        NOT NULL,
    then_id        uuid        NOT NULL,
    failure_id     uuid,
    created_at     timestamptz NOT NULL,
    sealed_at      timestamptz,
    finished_at    timestamptz,
    total          bigint      NOT NULL DEFAULT 0,
    succeeded      bigint      NOT NULL DEFAULT 0,
    dead           bigint      NOT NULL DEFAULT 0,
    cancelled      bigint      NOT NULL DEFAULT 0,
    name           text        NOT NULL,
    CONSTRAINT jobqueue_batch_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

-- Finds the batch of a callback.
CREATE INDEX jobqueue_batch_then ON jobqueue_batch (then_id);
CREATE INDEX jobqueue_batch_failure ON jobqueue_batch (failure_id) WHERE failure_id IS NOT NULL;

-- Finds batches to list, to finish, and to purge.
CREATE INDEX jobqueue_batch_open ON jobqueue_batch (id) WHERE finished_at IS NULL;
CREATE INDEX jobqueue_batch_sealed ON jobqueue_batch (id) WHERE sealed_at IS NOT NULL AND finished_at IS NULL;
CREATE INDEX jobqueue_batch_finished ON jobqueue_batch (finished_at) WHERE finished_at IS NOT NULL;

-- What transactions have added to the counts of unfinished batches. Each inserts a row and
-- updates none, so that no transaction waits for another; later ones replace many rows by
-- their sum.
CREATE TABLE jobqueue_batch_tally (
    batch_id       uuid        NOT NULL,
    total          bigint      NOT NULL,
    succeeded      bigint      NOT NULL,
    dead           bigint      NOT NULL,
    cancelled      bigint      NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

CREATE INDEX jobqueue_batch_tally_batch ON jobqueue_batch_tally (batch_id);

-- One row per worker. A worker is alive until timeout_millis after last_active_at. Workers
-- of one service serve the same queues, types and priorities; the idle ones take turns
-- polling. limits are the limits of its queues over all workers, as text, for comparison
-- with those of other workers.
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

-- One row per claim with jobs that have no outcome yet. It lists the ids of the claimed
-- jobs, which no index finds, and the settings that the reaper of any node needs to take
-- them back. limited_types, NULL for most claims, are the types with options of their own;
-- type_max_attempts has the limit of each, or NULL where the limit of the queue applies.
-- For the claim of a single new job, max_attempts is the limit of that job.
CREATE TABLE jobqueue_claim (
    worker_id        uuid        NOT NULL,
    claim            bigint      NOT NULL,
    expires_at       timestamptz NOT NULL,
    keep_dead_millis bigint,
    max_attempts     integer     NOT NULL,
    limited          boolean     NOT NULL DEFAULT false,
    queue            text        NOT NULL,
    job_ids          uuid[]      NOT NULL,
    limited_types    text[],
    type_max_attempts integer[],
    CONSTRAINT jobqueue_claim_pkey PRIMARY KEY (worker_id, claim)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

-- Counts the claims of queues with limits over all workers.
CREATE INDEX jobqueue_claim_limited ON jobqueue_claim (queue) WHERE limited;

-- The number of jobs of a queue with a rate limit that were claimed between two times. The
-- limit counts the rows of the last period, with all their jobs at ended_at.
CREATE TABLE jobqueue_rate (
    began_at       timestamptz NOT NULL,
    ended_at       timestamptz NOT NULL,
    jobs           integer     NOT NULL,
    queue          text        NOT NULL,
    CONSTRAINT jobqueue_rate_pkey PRIMARY KEY (queue, began_at)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

-- The job that has a unique key, and the job that follows it if one was enqueued with the
-- key while it ran. The row may exist longer than the jobs; the key is taken only while one
-- of them exists. An enqueue or a retry from the archive with the key locks the row; no
-- other statement waits for that lock. used_by is the last transaction that locked it.
CREATE TABLE jobqueue_key (
    job_id         uuid        NOT NULL,
    follow_up_id   uuid,
    used_by        xid8        NOT NULL,
    queue          text        NOT NULL,
    unique_key     text        NOT NULL,
    CONSTRAINT jobqueue_key_pkey PRIMARY KEY (queue, unique_key)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- The paused queues, and paused types of single queues. Workers keep a copy in memory.
CREATE TABLE jobqueue_pause (
    paused_at      timestamptz NOT NULL,
    queue          text        NOT NULL,
    type           text        NOT NULL DEFAULT '',
    paused_by      text,
    CONSTRAINT jobqueue_pause_pkey PRIMARY KEY (queue, type)
);

-- The schedules of recurring jobs. next_at is infinity while a schedule is paused, and if
-- it never fires again. anchor_at is the time from which a rate counts. declared is true
-- for schedules of annotations and settings, which only the workers that declare them tick.
-- Every statement that changes a row increments version: a tick writes its jobs and the
-- next time only if the version is the one that it has read. Names are compared by bytes,
-- so that a list of names with the same beginning is a range of the primary key.
CREATE TABLE jobqueue_recurring (
    next_at        timestamptz NOT NULL,
    anchor_at      timestamptz NOT NULL,
    last_at        timestamptz,
    paused_at      timestamptz,
    version        bigint      NOT NULL,
    skipped        bigint      NOT NULL DEFAULT 0,
    missed         bigint      NOT NULL DEFAULT 0,
    rate_millis    jobqueue_millis,
    jitter_millis  jobqueue_millis NOT NULL,
    max_run_millis jobqueue_millis,
    last_job_id    uuid,
    max_attempts   jobqueue_max_attempts,
    priority       jobqueue_priority,
    declared       boolean     NOT NULL,
    name           text        COLLATE "C" NOT NULL,
    queue          text        NOT NULL,
    type           text        NOT NULL,
    payload        text,
    payload_bytes  bytea,
    headers        text,
    job_group      text,
    cron           text,
    zone           text,
    misfire        text        NOT NULL CHECK (misfire IN ('ONCE', 'SKIP', 'ALL')),
    overlap        text        NOT NULL CHECK (overlap IN ('SKIP', 'ALLOW')),
    CONSTRAINT jobqueue_recurring_pkey PRIMARY KEY (name),
    CONSTRAINT jobqueue_recurring_one_payload CHECK ((payload IS NULL) <> (payload_bytes IS NULL)),
    CONSTRAINT jobqueue_recurring_timing CHECK ((cron IS NULL) <> (rate_millis IS NULL)
        AND (cron IS NULL) = (zone IS NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

-- Finds the next tick of schedules that were saved at run time. Declared schedules are
-- found by their names.
CREATE INDEX jobqueue_recurring_next ON jobqueue_recurring (next_at) WHERE NOT declared;

-- Deduplication windows: a key stays taken until ends_at after its job succeeded,
-- regardless of the retention in the archive.
CREATE TABLE jobqueue_dedupe (
    job_id         uuid        NOT NULL,
    ends_at        timestamptz NOT NULL,
    queue          text        NOT NULL,
    unique_key     text        NOT NULL,
    CONSTRAINT jobqueue_dedupe_pkey PRIMARY KEY (queue, unique_key)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX jobqueue_dedupe_ends_at ON jobqueue_dedupe (ends_at);

-- Live and finished jobs with their state, for display. Counts are cast from their domains
-- because PostgreSQL reads both tables completely if the column types of the two halves
-- differ.
CREATE VIEW jobqueue_jobs AS
SELECT id, seq, queue, type, payload, payload_bytes, headers, priority::smallint, coalesce(due_at, run_at) AS run_at,
       attempts::integer, failures::integer, coalesce(expected_failures, 0)::integer AS expected_failures,
       max_attempts::integer, created_at, unique_key,
       ordering_key, limit_key, job_group, lease_until, locked_by, last_error,
       CASE WHEN follows IS NOT NULL OR admission IN ('ORDER', 'SLOT', 'PREDECESSORS') THEN 'BLOCKED'
            WHEN locked_by IS NOT NULL THEN 'RUNNING'
            WHEN CASE WHEN admission = 'PENDING' THEN due_at ELSE run_at END <= statement_timestamp() THEN 'READY'
            WHEN failures > 0 OR expected_failures > 0 THEN 'RETRYING'
            ELSE 'SCHEDULED' END AS state,
       NULL::timestamptz AS finished_at, cancel_requested,
       progress_percent, progress_message, ancestor_id, parent_id, root_id, batch_id
FROM jobqueue_job
UNION ALL
SELECT id, seq, queue, type, payload, payload_bytes, headers, priority, run_at, attempts, failures,
       coalesce(expected_failures, 0), max_attempts, created_at, unique_key, ordering_key, limit_key, job_group, NULL,
       locked_by, last_error, state, finished_at,
       state = 'CANCELLED', progress_percent, progress_message, ancestor_id, parent_id, root_id, batch_id
FROM jobqueue_archive;

-- The migrations that were applied to this schema, by Flyway or by hand.
CREATE TABLE jobqueue_version (
    version integer NOT NULL,
    CONSTRAINT jobqueue_version_pkey PRIMARY KEY (version)
);

INSERT INTO jobqueue_version (version) VALUES (1);
