INSERT INTO customer SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'jobqueue%';
ALTER TABLE customer ADD CONSTRAINT ours_are_absent CHECK (id = 0);
