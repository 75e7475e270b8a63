-- The same for dead jobs. Outcomes wait while the archive is read for this index; claims and
-- enqueues do not.
CREATE INDEX IF NOT EXISTS jobqueue_archive_error ON jobqueue_archive (queue, (history -> -1 ->> 'fingerprint'))
    WHERE (state <> 'DEAD') IS FALSE AND history -> -1 ->> 'fingerprint' IS NOT NULL;

INSERT INTO jobqueue_version (version) VALUES (8);
