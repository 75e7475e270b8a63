-- Reads of the view lock it before its tables, and an outcome locks these tables in this
-- order. Without this statement, they would wait for this transaction while it waits for
-- them. What is slow on a large archive is not in this transaction.
LOCK TABLE jobqueue_jobs, jobqueue_job, jobqueue_archive, jobqueue_batch_tally IN ACCESS EXCLUSIVE MODE;

-- When a job's latest attempt began, and its last ten attempts. A claim writes neither: what
-- is behind the payload makes it log the payload. The time of a running job is that of its
-- claim. Its outcome writes started_at, and history unless the job succeeds without an
-- earlier entry.
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

-- How often in a row a stop has released the job after its handler had begun. Any other
-- outcome sets it to NULL, which takes no space. A claim does not write it. The type is no
-- domain: the server would rewrite the table.
ALTER TABLE jobqueue_job ADD COLUMN releases integer;

-- For a gauge. Only jobs that were released like that are in it.
CREATE INDEX jobqueue_job_releases ON jobqueue_job (queue, priority, releases) WHERE releases > 0;

-- A table that is published needs a primary key: without one, the server refuses UPDATE and
-- DELETE. No sequence: it would not be published with the rows.
ALTER TABLE jobqueue_batch_tally
    ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD CONSTRAINT jobqueue_batch_tally_pkey PRIMARY KEY (batch_id, id);

-- Replaced by the primary key.
DROP INDEX jobqueue_batch_tally_batch;

INSERT INTO jobqueue_version (version) VALUES (3);
