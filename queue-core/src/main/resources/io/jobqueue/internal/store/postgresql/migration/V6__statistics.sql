-- What each worker has recorded: a row a minute for each queue and priority class in which
-- it has ended attempts. After 3 hours, the rows of 10 minutes and of all workers are
-- folded into one, whose worker is 00000000-0000-0000-0000-000000000000; after 7 days they
-- are deleted. The priority is the best one of its class. run_times has a count for each
-- bucket of run times, without the empty ones at its end. An integer is enough for 3.5
-- million jobs a second during 10 minutes. age_millis is how long the oldest due job had
-- waited: it is in rows of its own, one a minute for all workers, whose worker is also
-- 00000000-0000-0000-0000-000000000000, and in folded ones.
CREATE TABLE jobqueue_statistics (
    at             timestamptz NOT NULL,
    age_millis     bigint,
    worker_id      uuid        NOT NULL,
    succeeded      integer     NOT NULL,
    failed         integer     NOT NULL,
    dead           integer     NOT NULL,
    cancelled      integer     NOT NULL,
    minutes        smallint    NOT NULL,
    priority       smallint    NOT NULL,
    queue          text        NOT NULL,
    run_times      integer[]   NOT NULL,
    CONSTRAINT jobqueue_statistics_pkey PRIMARY KEY (minutes, at, queue, priority, worker_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

INSERT INTO jobqueue_version (version) VALUES (6);
