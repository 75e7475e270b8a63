package io.jobqueue.test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The connection of a test's transaction. A transaction of the queue on it is a
 * savepoint: its settings are left out, as they would last until the end of the test, and
 * the connection stays as it is.
 */
final class JoinedConnection implements InvocationHandler {

	/**
	 * Settings of the connection are those of the test, and so is its end.
	 */
	private static final Set<String> IGNORED = Set.of("abort", "close", "setAutoCommit", "setNetworkTimeout");

	private static final Pattern BEGIN = Pattern.compile("\\ABEGIN[^;]*;\\s*SELECT set_config[^;]*");

	/**
	 * Like the text that it replaces, it has two results. The quota of the last claim
	 * would limit the next one.
	 */
	private static final String SAVEPOINT = """
			SAVEPOINT jobqueue;
			SELECT set_config('jobqueue.quota', '', true)""";

	private static final String RELEASE = "RELEASE SAVEPOINT jobqueue";

	private static final String COMMIT = "COMMIT";

	private static final String ROLLBACK = "ROLLBACK";

	private final Connection target;

	private JoinedConnection(Connection target) {
		this.target = target;
	}

	static Connection of(Connection target) {
		return (Connection) Proxy.newProxyInstance(JoinedConnection.class.getClassLoader(),
				new Class<?>[] { Connection.class }, new JoinedConnection(target));
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		if (IGNORED.contains(method.getName())) {
			return null;
		}
		if (arguments != null && arguments.length > 0 && method.getName().equals("prepareStatement")) {
			arguments[0] = inSavepoint((String) arguments[0]);
		}
		try {
			return method.invoke(this.target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	static String inSavepoint(String sql) {
		if (sql.equals(COMMIT)) {
			return RELEASE;
		}
		if (sql.equals(ROLLBACK)) {
			return "ROLLBACK TO SAVEPOINT jobqueue;\n" + RELEASE;
		}
		String begun = BEGIN.matcher(sql).replaceFirst(SAVEPOINT);
		boolean ends = !begun.equals(sql) && begun.endsWith(COMMIT);
		return ends ? begun.substring(0, begun.length() - COMMIT.length()) + RELEASE : begun;
	}

}
