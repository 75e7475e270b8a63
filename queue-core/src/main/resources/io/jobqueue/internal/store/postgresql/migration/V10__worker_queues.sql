-- What a worker can run of each queue, to explain why jobs do not run: the types that it has
-- handlers for or pulls; the number of its handlers, 0 if it starts none, NULL if the
-- application pulls the jobs; its priorities; and the limits of the queue over all workers.
-- Queues that it has handlers for, but does not serve, are among them. Workers of versions
-- before 10 have no rows.
--
-- A column of jobqueue_worker would make heartbeats write more: each copies the whole row,
-- and logs it if its page is full, or locks it first if a value is stored out of line.
--
-- Nodes of versions before 10 remove workers, too, hence the foreign key.
CREATE TABLE jobqueue_worker_queue (
    worker_id           uuid     NOT NULL,
    rate_period_millis  bigint,
    concurrency         integer,
    cluster_concurrency integer,
    rate                integer,
    min_priority        smallint NOT NULL,
    max_priority        smallint NOT NULL,
    queue               text     NOT NULL,
    types               text[]   NOT NULL,
    CONSTRAINT jobqueue_worker_queue_pkey PRIMARY KEY (worker_id, queue),
    CONSTRAINT jobqueue_worker_queue_worker FOREIGN KEY (worker_id) REFERENCES jobqueue_worker ON DELETE CASCADE
);

INSERT INTO jobqueue_version (version) VALUES (10);
