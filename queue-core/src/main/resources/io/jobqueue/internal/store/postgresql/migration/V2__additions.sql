-- Nodes of version 1 work on these tables as well: new columns are nullable or have a
-- default.

-- A claim locks the worker before the jobs; other transactions lock them the other way
-- round. Therefore the tables of workers and claims are changed in a transaction of their
-- own, which never waits for a lock of the jobs.
LOCK TABLE jobqueue_recurring, jobqueue_worker, jobqueue_claim IN ACCESS EXCLUSIVE MODE;

-- The application of a worker, for a warning of two applications that serve one queue.
ALTER TABLE jobqueue_worker ADD COLUMN application text;

-- When the jobs of a claim began. Claims of nodes of version 1 have their time by the
-- default, which does not apply to rows that exist.
ALTER TABLE jobqueue_claim ADD COLUMN claimed_at timestamptz;
ALTER TABLE jobqueue_claim ALTER COLUMN claimed_at SET DEFAULT now();

-- The name of the application that declared a schedule last, to warn where two applications
-- replace each other's definition. NULL where it is unknown, such as in rows of version 1.
ALTER TABLE jobqueue_recurring ADD COLUMN declared_by text;

INSERT INTO jobqueue_version (version) VALUES (2);
