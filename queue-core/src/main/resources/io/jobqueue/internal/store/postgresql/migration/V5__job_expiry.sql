-- Reads of the view lock it before its tables, and an outcome locks these tables in this
-- order. Without this statement, they would wait for this transaction while it waits for
-- them.
LOCK TABLE jobqueue_jobs, jobqueue_job, jobqueue_archive IN ACCESS EXCLUSIVE MODE;

-- When a job that no worker has claimed by then ends as cancelled. NULL for most jobs, which
-- takes no space. A claim does not write it; an outcome after which the job waits again sets
-- it to NULL, so that only a job that has not begun has one while no worker has it.
ALTER TABLE jobqueue_job ADD COLUMN expires_at timestamptz;
ALTER TABLE jobqueue_archive ADD COLUMN expires_at timestamptz;

-- Finds expired jobs. Other jobs are not in it, and it contains no column that a claim writes.
CREATE INDEX jobqueue_job_expiry ON jobqueue_job (expires_at) WHERE expires_at IS NOT NULL;

-- The same with one more column.
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
       history, expires_at
FROM jobqueue_job j
UNION ALL
SELECT id, seq, queue, type, payload, payload_bytes, headers, priority, run_at, attempts, failures,
       coalesce(expected_failures, 0), max_attempts, created_at, unique_key, ordering_key, limit_key, job_group, NULL,
       locked_by, last_error, state, finished_at,
       state = 'CANCELLED', progress_percent, progress_message, ancestor_id, parent_id, root_id, batch_id,
       started_at, history, expires_at
FROM jobqueue_archive;

INSERT INTO jobqueue_version (version) VALUES (5);
