package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.RowCallbackHandler;

import io.jobqueue.store.ClaimedJob.HeldKeys;
import io.jobqueue.store.FailureText;
import io.jobqueue.store.JobStore.AdmissionResult;
import io.jobqueue.store.JobStore.AdmissionRules;
import io.jobqueue.store.MaintenanceStore.KeyPass;
import io.jobqueue.store.MaintenanceStore.KeyPosition;
import io.jobqueue.store.WakeUp.JobsAvailable;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * Where jobs with an ordering or a limit key wait until they may be claimed.
 */
final class KeyGate {

	private static final Logger logger = LoggerFactory.getLogger(KeyGate.class);

	private static final int MAX_JUDGED = 1_000;

	private final OwnTransaction own;

	private final Schema schema;

	private final ClosedGates closed = new ClosedGates();

	KeyGate(OwnTransaction own, Schema schema) {
		this.own = own;
		this.schema = schema;
	}

	AdmissionResult admit(String queue, AdmissionRules rules) {
		Answer<AdmissionResult> admission = Answer.ofRows(KeyGate::admission);
		try {
			this.own.run(PostgresGateSql.BEGIN_ADMISSION, admitting(queue, rules, admission));
			return admission.get();
		}
		catch (CannotAcquireLockException ex) {
			logger.debug("Others are at the gate of queue {}", queue, ex);
			return new AdmissionResult(List.of(), QueueLock.TRY_AGAIN_IN);
		}
	}

	List<Step> admitting(String queue, AdmissionRules rules, Answer<AdmissionResult> admission) {
		return List.of(QueueLock.GATE.of(Set.of(queue), this.schema),
				new Step(this.schema.in(PostgresGateSql.ADMIT),
						(parameters) -> parameters.value(queue)
							.number(rules.concurrency())
							.value(rules.deadHeadHolds())
							.value(MAX_JUDGED),
						admission));
	}

	static AdmissionResult admission(ResultSet rows) throws SQLException {
		List<JobsAvailable> admitted = new ArrayList<>();
		Duration nextDueIn = null;
		while (rows.next()) {
			nextDueIn = Columns.dueIn(rows);
			if (rows.getObject("seq") != null) {
				admitted.add(new JobsAvailable(Columns.tier(rows), Columns.position(rows), Duration.ZERO));
			}
		}
		return new AdmissionResult(admitted, nextDueIn);
	}

	/**
	 * Return what hands keys over, at the end of a transaction: whoever has the lock must
	 * not wait for anything else, so that nobody waits for long.
	 */
	List<Step> handOver(Collection<HeldKeys> freed, RowCallbackHandler nominated) {
		Step nominate = new Step(this.schema.in(PostgresGateSql.NOMINATE),
				(parameters) -> parameters.array("text", freed, HeldKeys::queue)
					.array("text", freed, HeldKeys::ordering)
					.array("text", freed, HeldKeys::limit),
				Answer.ofEachRow(nominated));
		return freed.isEmpty() ? List.of() : List.of(QueueLock.GATE.of(queues(freed), this.schema), nominate);
	}

	private static Set<String> queues(Collection<HeldKeys> freed) {
		return freed.stream().map(HeldKeys::queue).collect(Collectors.toSet());
	}

	/**
	 * Hand keys over, after what let go of them was committed: that is done, whatever
	 * becomes of this.
	 */
	Collection<JobsAvailable> handOver(Collection<HeldKeys> freed) {
		List<JobsAvailable> nominated = new ArrayList<>();
		if (!freed.isEmpty()) {
			try {
				handOver(freed, queues(freed), nominated);
			}
			catch (DataAccessException ex) {
				left(Level.WARN, ex);
			}
		}
		return nominated;
	}

	private void handOver(Collection<HeldKeys> freed, Set<String> queues, List<JobsAvailable> nominated) {
		boolean closed = this.closed.haveAnyOf(queues);
		try {
			this.own.run(closed ? PostgresGateSql.BEGIN_HAND_OVER_AT_ONCE : PostgresGateSql.BEGIN_HAND_OVER,
					handOver(freed, (row) -> nominated.add(Columns.arrival(row))));
			if (this.closed.remove(queues)) {
				logger.info("Keys of jobs of the queues {} are handed over again", queues);
			}
		}
		catch (CannotAcquireLockException ex) {
			if (!closed) {
				this.closed.add(queues);
			}
			left(closed ? Level.DEBUG : Level.WARN, ex);
		}
	}

	private static void left(Level level, DataAccessException ex) {
		logger.atLevel(level)
			.log("Keys of jobs that ended could not be handed over; the reaper admits the jobs that wait for them: {}",
					FailureText.of(ex));
		logger.debug("Keys could not be handed over", ex);
	}

	KeyPass sweepTurns(@Nullable KeyPosition last, int limit) {
		return sweep(PostgresGateSql.SWEEP_TURNS, last, limit);
	}

	KeyPass sweepSlots(@Nullable KeyPosition last, int limit) {
		return sweep(PostgresGateSql.SWEEP_SLOTS, last, limit);
	}

	private KeyPass sweep(String sql, @Nullable KeyPosition last, int limit) {
		return this.own.query(PostgresSql.BEGIN, this.schema.in(sql),
				(parameters) -> parameters.value((last != null) ? last.queue() : "")
					.value((last != null) ? last.key() : "")
					.value(limit)
					.value(limit),
				KeyGate::pass);
	}

	private static KeyPass pass(ResultSet rows) throws SQLException {
		List<JobsAvailable> nominated = new ArrayList<>();
		KeyPosition last = null;
		while (rows.next()) {
			String key = rows.getString("last_key");
			if (key != null) {
				last = new KeyPosition(rows.getString("queue"), key);
			}
			else {
				nominated.add(Columns.arrival(rows));
			}
		}
		return new KeyPass(nominated, last);
	}

}
