package io.jobqueue.internal.store.postgresql.jobs;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import org.postgresql.ds.PGSimpleDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.jobqueue.testpostgres.TestDatabase;

/**
 * Opens connections on which the server reports the plan of every statement as it was
 * executed, with its buffers.
 */
public final class PlanRecorder extends DelegatingDataSource {

	private static final String OPTIONS = """
			-c session_preload_libraries=auto_explain -c auto_explain.log_min_duration=0 -c auto_explain.log_analyze=on \
			-c auto_explain.log_buffers=on -c auto_explain.log_timing=off -c auto_explain.log_format=json \
			-c auto_explain.log_level=notice""";

	private static final JsonMapper JSON = new JsonMapper();

	private final List<Plan> plans = new ArrayList<>();

	public PlanRecorder(TestDatabase database) {
		super(explaining((PGSimpleDataSource) database.directDataSource()));
	}

	private static DataSource explaining(PGSimpleDataSource dataSource) {
		dataSource.setOptions(OPTIONS);
		return dataSource;
	}

	/**
	 * Return the plans since the last call.
	 */
	public List<Plan> take() {
		List<Plan> taken = List.copyOf(this.plans);
		this.plans.clear();
		return taken;
	}

	public Plan takeOnly() {
		List<Plan> taken = take();
		if (taken.size() != 1) {
			throw new AssertionError("Expected one plan, got " + taken);
		}
		return taken.get(0);
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return proxy(Connection.class, (method, arguments) -> {
			if (method.getName().equals("close")) {
				record(connection.getWarnings());
			}
			Object result = method.invoke(connection, arguments);
			return (result instanceof PreparedStatement statement) ? recording(statement) : result;
		});
	}

	private PreparedStatement recording(PreparedStatement statement) {
		return proxy(PreparedStatement.class, (method, arguments) -> {
			if (method.getName().equals("close")) {
				record(statement.getWarnings());
			}
			return method.invoke(statement, arguments);
		});
	}

	private void record(SQLWarning first) {
		for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
			String message = warning.getMessage();
			int start = message.indexOf('{');
			if (message.startsWith("duration") && start > 0) {
				record(JSON.readTree(message.substring(start)));
			}
		}
	}

	/**
	 * The settings that every transaction begins with are no statement of interest.
	 */
	private void record(JsonNode executed) {
		if (executed.path("Query Text").asString("").contains("jobqueue_")) {
			this.plans.add(new Plan(executed.get("Plan")));
		}
	}

	private static <T> T proxy(Class<T> type, Call call) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				try {
					return call.make(method, arguments);
				}
				catch (InvocationTargetException ex) {
					throw ex.getTargetException();
				}
			}));
	}

	/**
	 * A call of a method.
	 */
	private interface Call {

		Object make(Method method, Object[] arguments) throws Exception;

	}

	/**
	 * How a statement was executed.
	 */
	public record Plan(JsonNode root) {

		public long buffers() {
			return this.root.path("Shared Hit Blocks").asLong() + this.root.path("Shared Read Blocks").asLong();
		}

		/**
		 * Return the node types that read a table, with the index where there is one.
		 */
		public List<String> readsOf(String table) {
			return this.root.findParents("Relation Name")
				.stream()
				.filter((node) -> node.get("Relation Name").asString().equals(table))
				.map((node) -> (node.get("Node Type").asString() + " " + node.path("Index Name").asString("")).strip())
				.filter((read) -> !read.startsWith("ModifyTable"))
				.distinct()
				.toList();
		}

		@Override
		public String toString() {
			return this.root.toPrettyString();
		}

	}

}
