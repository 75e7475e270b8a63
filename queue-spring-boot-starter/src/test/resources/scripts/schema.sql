CREATE TABLE customer (id bigint PRIMARY KEY);
