--liquibase formatted sql

--changeset test:customers
--preconditions onFail:HALT
--precondition-sql-check expectedResult:0 SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'jobqueue%'
CREATE TABLE customer (id bigint PRIMARY KEY);
