-- The sources of jobs outside the database, such as partitions of a topic, whose owner
-- changes. An owner increments generation when a source is assigned to it, and locks the row
-- with that value in each transaction that inserts jobs of the source, so that no former
-- owner inserts any. Live jobs of a source have its name as job_group.
CREATE TABLE jobqueue_source (
    generation     bigint      NOT NULL,
    name           text        NOT NULL,
    CONSTRAINT jobqueue_source_pkey PRIMARY KEY (name)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

INSERT INTO jobqueue_version (version) VALUES (14);
