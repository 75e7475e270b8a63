package io.jobqueue.internal.store.postgresql.signal;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.util.function.SingletonSupplier;

import io.jobqueue.internal.signal.SignalChannel;
import io.jobqueue.internal.signal.SignalsUnavailableException;
import io.jobqueue.internal.store.Notice;
import io.jobqueue.internal.store.WakeUp;
import io.jobqueue.internal.store.postgresql.transaction.ConnectionOpener;
import io.jobqueue.internal.store.postgresql.transaction.DedicatedConnection;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * Sends and receives signals by NOTIFY and LISTEN, each on a connection outside the pool.
 * NOTIFY is not used in transactions of the application because it takes a lock of the
 * whole server at their commit.
 */
public final class PostgresSignals implements SignalChannel {

	private static final int MAX_TIERS_PER_NOTIFY = 45;

	private static final int MAX_NAME_LENGTH = 63;

	private final DedicatedConnection side;

	private final @Nullable ConnectionOpener opener;

	private final SingletonSupplier<String> name;

	private final UUID node = UUID.randomUUID();

	/**
	 * Create the channel.
	 * @param side the connection outside the pool that sends
	 * @param unpooled opens the connection that listens, {@code null} if there is none
	 * @param schema the schema of the tables
	 */
	public PostgresSignals(DedicatedConnection side, @Nullable DataSource unpooled, Schema schema) {
		this.side = side;
		this.opener = (unpooled != null) ? new ConnectionOpener(unpooled, "listener") : null;
		this.name = SingletonSupplier.of(() -> name(schema));
	}

	/**
	 * The channel name includes the schema, so that queues of the same name in other
	 * schemas do not share it.
	 */
	private String name(Schema schema) {
		String name = "jobqueue_" + ((schema.name() != null) ? schema.name() : currentSchema());
		return (name.length() > MAX_NAME_LENGTH) ? name.substring(0, MAX_NAME_LENGTH) : name;
	}

	private static final String CURRENT_SCHEMA = """
			SELECT current_schema()
			""";

	private String currentSchema() {
		return this.side.execute((jdbc) -> String.valueOf(jdbc.queryForObject(CURRENT_SCHEMA, String.class)));
	}

	@Override
	public void send(Collection<WakeUp> signals) {
		List<WakeUp> all = new ArrayList<>(signals);
		for (int start = 0; start < all.size(); start += MAX_TIERS_PER_NOTIFY) {
			notify(SignalText.of(this.node, all.subList(start, Math.min(all.size(), start + MAX_TIERS_PER_NOTIFY))));
		}
	}

	@Override
	public void send(Notice notice) {
		notify(SignalText.of(this.node, notice));
	}

	private static final String NOTIFY = """
			SELECT pg_notify(?, ?)
			""";

	/**
	 * The name is read first because reading it uses the same connection.
	 */
	private void notify(String text) {
		String channel = this.name.obtain();
		this.side.execute((jdbc) -> jdbc.queryForList(NOTIFY, channel, text));
	}

	@Override
	public Subscription subscribe() {
		if (this.opener == null) {
			throw new SignalsUnavailableException("there are no connection details for a connection outside the pool",
					null);
		}
		String channel = this.name.obtain();
		try {
			return PostgresSubscription.open(this.opener.open(), channel, this.node, this::notify,
					() -> this.side.execute(PostgresSignals::session));
		}
		catch (SQLException ex) {
			throw new SignalsUnavailableException("could not open a connection outside the pool: " + ex.getMessage(),
					ex);
		}
	}

	private static int session(JdbcOperations jdbc) {
		return Objects.requireNonNull(jdbc.queryForObject(PostgresSubscription.SESSION, Integer.class));
	}

}
