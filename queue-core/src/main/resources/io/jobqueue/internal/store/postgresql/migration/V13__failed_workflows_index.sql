-- Finds the few instances of workflows that have failed or were cancelled. One that succeeds
-- writes nothing to it.
CREATE INDEX IF NOT EXISTS jobqueue_workflow_failed ON jobqueue_workflow (name, id)
    WHERE state IN ('FAILED', 'CANCELLED');

INSERT INTO jobqueue_version (version) VALUES (13);
