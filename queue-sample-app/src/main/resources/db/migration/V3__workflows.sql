-- The instance of the workflow that follows the signup.
ALTER TABLE signup ADD COLUMN workflow uuid;
