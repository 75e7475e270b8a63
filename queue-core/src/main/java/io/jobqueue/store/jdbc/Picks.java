package io.jobqueue.store.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.ClaimRequest;
import io.jobqueue.store.ClaimResult;
import io.jobqueue.store.JobStore.AdmissionResult;
import io.jobqueue.store.JobStore.AdmissionRules;
import io.jobqueue.store.JobStore.SingleClaimResult;
import io.jobqueue.store.WakeUp.JobsAvailable;
import io.jobqueue.store.jdbc.Step.Answer;

/**
 * Claims jobs by their ids.
 */
final class Picks {

	private final OwnTransaction own;

	private final Schema schema;

	private final KeyGate gate;

	private final Claims claims;

	Picks(OwnTransaction own, Schema schema, KeyGate gate, Claims claims) {
		this.own = own;
		this.schema = schema;
		this.gate = gate;
		this.claims = claims;
	}

	/**
	 * Only so many are judged at a time. Those that come before this one stay judged.
	 */
	SingleClaimResult claim(UUID worker, UUID job, ClaimRequest demand, @Nullable AdmissionRules keys) {
		if (keys == null) {
			return new SingleClaimResult(pick(worker, job, demand, List.of()), List.of());
		}
		Answer<AdmissionResult> admission = Answer.ofRows(KeyGate::admission);
		ClaimResult picked = pickKeyed(worker, job, demand, keys, admission);
		List<JobsAvailable> admitted = new ArrayList<>();
		if (picked.jobs().isEmpty() && !picked.refused() && isFull(admission.get())) {
			judge(demand.queue(), keys, admitted);
			picked = pickKeyed(worker, job, demand, keys, admission);
		}
		if (!picked.jobs().isEmpty()) {
			admitted.addAll(admission.get().admitted());
		}
		return new SingleClaimResult(picked, admitted);
	}

	private void judge(String queue, AdmissionRules keys, List<JobsAvailable> admitted) {
		AdmissionResult judged;
		do {
			judged = this.gate.admit(queue, keys);
			admitted.addAll(judged.admitted());
		}
		while (isFull(judged));
	}

	private static boolean isFull(AdmissionResult admission) {
		return Duration.ZERO.equals(admission.nextDueIn());
	}

	/**
	 * All in one transaction: a job that was let in must not be somebody else's before it
	 * is ours. One that cannot be claimed keeps the time it is due at, and its place.
	 */
	private ClaimResult pickKeyed(UUID worker, UUID job, ClaimRequest demand, AdmissionRules keys,
			Answer<AdmissionResult> admission) {
		List<Step> before = new ArrayList<>();
		before.add(new Step(this.schema.in(PostgresPickSql.MAKE_DUE), (parameters) -> parameters.value(job),
				Answer.ofCount()));
		before.addAll(this.gate.admitting(demand.queue(), keys, admission));
		return pick(worker, job, demand, before);
	}

	private ClaimResult pick(UUID worker, UUID job, ClaimRequest demand, List<Step> before) {
		Answer<ClaimResult> claimed = Answer.ofRows(new ClaimedJobsExtractor(demand));
		List<Step> steps = new ArrayList<>(before);
		steps.add(new Step(this.schema.in(PostgresPickSql.CLAIM_ONE),
				(parameters) -> set(parameters, worker, job, demand), claimed));
		return this.claims.claim(worker, demand, steps, claimed,
				(all) -> this.own.runAndKeepIf(() -> !claimed.get().jobs().isEmpty(), PostgresPickSql.BEGIN, all));
	}

	private static void set(Parameters parameters, UUID worker, UUID job, ClaimRequest demand) throws SQLException {
		parameters.value(job)
			.value(demand.queue())
			.array("text", demand.types(), (type) -> type)
			.array("text", demand.onceTypes(), (type) -> type)
			.value(demand.claim())
			.value(demand.maxAttempts())
			.number(Columns.ofDuration(demand.maxRunTime()))
			.number(Columns.ofDuration(demand.keepDead()));
		Claims.typeLimits(parameters, demand.typeLimits().entrySet());
		parameters.value(worker);
	}

}
