CREATE TABLE IF NOT EXISTS mail (recipient text NOT NULL);
CREATE TABLE IF NOT EXISTS booking (amount integer NOT NULL);
