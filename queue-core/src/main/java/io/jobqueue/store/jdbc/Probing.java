package io.jobqueue.store.jdbc;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.RowCallbackHandler;

import io.jobqueue.store.JobStore.RetryProbe;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * Decides which retries run of the queues that probe them. The steps have to be the last
 * ones of a transaction, which holds up others from here on.
 */
final class Probing {

	private final Schema schema;

	private final List<RetryProbe> probes;

	Probing(Schema schema, Collection<RetryProbe> probes) {
		this.schema = schema;
		this.probes = List.copyOf(probes);
	}

	/**
	 * Return what to do.
	 * @param letOut what takes rows with jobs that may run
	 */
	List<Step> steps(RowCallbackHandler letOut) {
		Set<String> queues = this.probes.stream().map(RetryProbe::queue).collect(Collectors.toSet());
		return List.of(QueueLock.PROBES.of(queues, this.schema),
				new Step(this.schema.in(PostgresProbeSql.HOLD), this::hold, Answer.ofCount()),
				new Step(this.schema.in(PostgresProbeSql.LET_OUT), this::tell, Answer.ofEachRow(letOut)));
	}

	private void hold(Parameters parameters) throws SQLException {
		tell(parameters);
		parameters.value(RetryProbe.LONGEST_PAUSE.toMillis());
	}

	private void tell(Parameters parameters) throws SQLException {
		parameters.array("uuid", this.probes, RetryProbe::job)
			.array("text", this.probes, RetryProbe::queue)
			.array("boolean", this.probes, RetryProbe::retry)
			.array("boolean", this.probes, RetryProbe::succeeded)
			.array("bigint", this.probes, (probe) -> Columns.millis(probe.pause()));
	}

}
