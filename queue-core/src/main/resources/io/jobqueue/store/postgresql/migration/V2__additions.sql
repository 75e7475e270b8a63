-- Nodes of version 1 work on these tables as well: new columns are nullable or have a
-- default.

-- A table that is published needs a primary key: without one, the server refuses UPDATE and
-- DELETE. No sequence: it would not be published with the rows.
ALTER TABLE jobqueue_batch_tally
    ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD CONSTRAINT jobqueue_batch_tally_pkey PRIMARY KEY (batch_id, id);

-- Replaced by the primary key.
DROP INDEX jobqueue_batch_tally_batch;

-- Counts the dead jobs of each queue and priority. Other jobs are not in this index.
CREATE INDEX jobqueue_archive_dead ON jobqueue_archive (queue, priority) WHERE state = 'DEAD';

-- The application of a worker, for a warning of two applications that serve one queue.
ALTER TABLE jobqueue_worker ADD COLUMN application text;

INSERT INTO jobqueue_version (version) VALUES (2);
