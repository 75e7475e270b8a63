-- Nodes of version 1 work on these tables as well: new columns are nullable or have a
-- default.

-- A table that is published needs a primary key: without one, the server refuses UPDATE and
-- DELETE. No sequence: it would not be published with the rows.
ALTER TABLE jobqueue_batch_tally
    ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD CONSTRAINT jobqueue_batch_tally_pkey PRIMARY KEY (batch_id, id);

-- Replaced by the primary key.
DROP INDEX jobqueue_batch_tally_batch;

-- Counts the dead jobs of each queue and priority. Other jobs are not in this index. The
-- condition IS FALSE keeps the planner from using it for the dead jobs of an ordering key.
CREATE INDEX jobqueue_archive_dead ON jobqueue_archive (queue, priority) WHERE (state <> 'DEAD') IS FALSE;

-- The application of a worker, for a warning of two applications that serve one queue.
ALTER TABLE jobqueue_worker ADD COLUMN application text;

-- When a job's latest attempt began, and its last ten attempts. A claim writes neither: what
-- is behind the payload makes it log the payload. The time of a running job is that of its
-- claim. Its outcome writes started_at, and history unless the job succeeds without an
-- earlier entry. Claims of nodes of version 1 have their time by the default, which does not
-- apply to rows that exist.
ALTER TABLE jobqueue_claim ADD COLUMN claimed_at timestamptz;
ALTER TABLE jobqueue_claim ALTER COLUMN claimed_at SET DEFAULT now();
ALTER TABLE jobqueue_job ADD COLUMN started_at timestamptz, ADD COLUMN history jsonb;
ALTER TABLE jobqueue_archive ADD COLUMN started_at timestamptz, ADD COLUMN history jsonb;

-- The same with two more columns.
CREATE OR REPLACE VIEW jobqueue_jobs AS
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
       progress_percent, progress_message, ancestor_id, parent_id, root_id, batch_id,
       coalesce((SELECT c.claimed_at FROM jobqueue_claim c WHERE c.worker_id = j.locked_by AND c.claim = j.claim),
                started_at) AS started_at,
       history
FROM jobqueue_job j
UNION ALL
SELECT id, seq, queue, type, payload, payload_bytes, headers, priority, run_at, attempts, failures,
       coalesce(expected_failures, 0), max_attempts, created_at, unique_key, ordering_key, limit_key, job_group, NULL,
       locked_by, last_error, state, finished_at,
       state = 'CANCELLED', progress_percent, progress_message, ancestor_id, parent_id, root_id, batch_id,
       started_at, history
FROM jobqueue_archive;

-- The name of the application that declared a schedule last, to warn where two applications
-- replace each other's definition. NULL where it is unknown, such as in rows of version 1.
ALTER TABLE jobqueue_recurring ADD COLUMN declared_by text;

-- How often in a row a stop has released the job after its handler had begun. Any other
-- outcome sets it to NULL, which takes no space. A claim does not write it. The type is no
-- domain: the server would rewrite the table.
ALTER TABLE jobqueue_job ADD COLUMN releases integer;

-- For a gauge. Only jobs that were released like that are in it.
CREATE INDEX jobqueue_job_releases ON jobqueue_job (queue, priority, releases) WHERE releases > 0;

INSERT INTO jobqueue_version (version) VALUES (2);
