-- Groups live jobs by the error of their last attempt. Other jobs, and those whose last
-- attempt no exception has ended, are not in this index. A claim does not write the history.
-- Enqueues, claims and outcomes wait while the live jobs are read for this index. This
-- transaction waits for no lock of another table. The index exists already where it was
-- created concurrently before.
CREATE INDEX IF NOT EXISTS jobqueue_job_error ON jobqueue_job (queue, (history -> -1 ->> 'fingerprint'))
    WHERE history -> -1 ->> 'fingerprint' IS NOT NULL;

INSERT INTO jobqueue_version (version) VALUES (7);
