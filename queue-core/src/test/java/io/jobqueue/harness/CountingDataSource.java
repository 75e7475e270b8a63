package io.jobqueue.harness;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Notes the prepared statements that are sent to the database.
 */
public final class CountingDataSource extends DelegatingDataSource {

	private final List<String> sent = new CopyOnWriteArrayList<>();

	/**
	 * Watch a data source.
	 * @param target the data source
	 */
	public CountingDataSource(DataSource target) {
		super(target);
	}

	/**
	 * Return what was sent.
	 * @return the text of each execution
	 */
	public List<String> sent() {
		return this.sent;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return watch(Connection.class, connection, (method, arguments, result) -> {
			if (method.equals("prepareStatement")) {
				return statement((PreparedStatement) result, (String) arguments[0]);
			}
			return result;
		});
	}

	private PreparedStatement statement(PreparedStatement statement, String sql) {
		return watch(PreparedStatement.class, statement, (method, arguments, result) -> {
			if (method.startsWith("execute")) {
				this.sent.add(sql);
			}
			return result;
		});
	}

	private static <T> T watch(Class<T> type, T target, Watch watch) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				try {
					return watch.called(method.getName(), arguments, method.invoke(target, arguments));
				}
				catch (InvocationTargetException ex) {
					throw ex.getTargetException();
				}
			}));
	}

	/**
	 * Sees a call and its result, and may replace the latter.
	 */
	private interface Watch {

		Object called(String method, Object[] arguments, Object result);

	}

}
