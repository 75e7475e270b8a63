-- The subscriptions to topics, one row for each type: a job that is published to the topic
-- with that type and with all headers of the filter, each name=value, is enqueued to the
-- queue. last_declared_at is when a worker declared the subscription last; warned_at is when
-- the last warning of its end was logged, and NULL since it was declared. Names are compared
-- by bytes, so that their order is the same in every database.
CREATE TABLE jobqueue_subscription (
    last_declared_at timestamptz NOT NULL,
    warned_at      timestamptz,
    topic          text        COLLATE "C" NOT NULL,
    type           text        COLLATE "C" NOT NULL,
    subscriber     text        COLLATE "C" NOT NULL,
    queue          text        NOT NULL,
    filter         text[]      NOT NULL,
    CONSTRAINT jobqueue_subscription_pkey PRIMARY KEY (topic, type, subscriber)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

INSERT INTO jobqueue_version (version) VALUES (11);
