package io.jobqueue.benchmark.subject;

/**
 * Tables of their own in the same database, for what takes long to build and has to
 * outlast the turns of others. They are dropped when closed.
 */
public final class BenchmarkSchema implements AutoCloseable {

	private final BenchmarkDatabase parent;

	private final String name;

	/**
	 * Create an empty schema, and drop one of the same name with all that is in it. Who
	 * uses it creates the tables.
	 * @param parent the database
	 * @param name the name, which goes into SQL as it is
	 */
	public BenchmarkSchema(BenchmarkDatabase parent, String name) {
		this.parent = parent;
		this.name = name;
		drop();
		parent.execute("CREATE SCHEMA " + name);
	}

	/**
	 * Return the database as connections see it whose tables are these.
	 */
	public BenchmarkDatabase database() {
		return this.parent.with("currentSchema=" + this.name);
	}

	private void drop() {
		this.parent.execute("DROP SCHEMA IF EXISTS %s CASCADE".formatted(this.name));
	}

	@Override
	public void close() {
		drop();
	}

}
