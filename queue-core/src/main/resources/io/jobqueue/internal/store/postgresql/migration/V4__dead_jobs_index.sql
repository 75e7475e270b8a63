-- Counts the dead jobs of each queue and priority. Other jobs are not in this index. The
-- condition IS FALSE keeps the planner from using it for the dead jobs of an ordering key.
-- Outcomes wait while the archive is read for this index; claims and enqueues do not. This
-- transaction waits for no lock of another table. The index exists already where it was
-- created concurrently before.
CREATE INDEX IF NOT EXISTS jobqueue_archive_dead ON jobqueue_archive (queue, priority) WHERE (state <> 'DEAD') IS FALSE;

INSERT INTO jobqueue_version (version) VALUES (4);
