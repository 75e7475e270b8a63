package io.jobqueue.internal.store.postgresql.search;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.RelationStore;
import io.jobqueue.internal.store.RelationStore.Related;
import io.jobqueue.internal.store.RelationStore.Relation;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;

/**
 * The {@link RelationStore} of a PostgreSQL database.
 */
public final class PostgresRelationStore implements RelationStore {

	private final QueueTransaction transactions;

	/**
	 * Create the store.
	 * @param transactions runs transactions of the queue
	 */
	public PostgresRelationStore(QueueTransaction transactions) {
		this.transactions = transactions;
	}

	/**
	 * LIMIT 1 makes the planner read each job by its id. The limits of the recursions end
	 * them early, since their rows are read one by one.
	 */
	private static final String AROUND = """
			WITH RECURSIVE job AS MATERIALIZED (
			    SELECT v.id, v.parent_id, coalesce(v.root_id, v.id) AS root_id, v.batch_id
			    FROM jobqueue_jobs v
			    WHERE v.id = ?
			    LIMIT 1
			), ancestor (parent_id, id, depth) AS (
			    SELECT parent_id, id, 1 FROM job
			    UNION ALL
			    SELECT p.parent_id, p.id, a.depth + 1
			    FROM ancestor a
			    CROSS JOIN LATERAL (SELECT v.id, v.parent_id FROM jobqueue_jobs v WHERE v.id = a.parent_id LIMIT 1) p
			    WHERE a.depth < 10
			), successor (predecessor_id, job_id, depth) AS (
			    SELECT NULL::uuid, id, 0 FROM job
			    UNION ALL
			    SELECT n.predecessor_id, n.job_id, s.depth + 1
			    FROM successor s
			    CROSS JOIN LATERAL (
			        SELECT d.predecessor_id, d.job_id FROM jobqueue_dependency d
			        WHERE d.predecessor_id = s.job_id
			        LIMIT 100) n
			    WHERE s.depth < 4
			), predecessor (predecessor_id, job_id, depth) AS (
			    SELECT id, NULL::uuid, 0 FROM job
			    UNION ALL
			    SELECT n.predecessor_id, n.job_id, p.depth + 1
			    FROM predecessor p
			    CROSS JOIN LATERAL (
			        SELECT d.predecessor_id, d.job_id FROM jobqueue_dependency d
			        WHERE d.job_id = p.predecessor_id
			        LIMIT 100) n
			    WHERE p.depth < 4
			), batch AS (
			    SELECT b.* FROM job j
			    CROSS JOIN LATERAL (
			        SELECT c.id, c.then_id, c.failure_id FROM jobqueue_batch c WHERE c.id = j.batch_id
			        UNION ALL
			        SELECT c.id, c.then_id, c.failure_id FROM jobqueue_batch c WHERE c.then_id = j.id
			        UNION ALL
			        SELECT c.id, c.then_id, c.failure_id FROM jobqueue_batch c WHERE c.failure_id = j.id) b
			)
			SELECT 'PARENT' AS kind, parent_id AS first_id, id AS second_id FROM ancestor WHERE parent_id IS NOT NULL
			UNION ALL
			SELECT 'PARENT', f.parent_id, f.id FROM job j
			CROSS JOIN LATERAL (
			    (SELECT l.parent_id, l.id FROM jobqueue_job l WHERE l.root_id = j.root_id LIMIT %1$s)
			    UNION ALL
			    (SELECT a.parent_id, a.id FROM jobqueue_archive a WHERE a.root_id = j.root_id ORDER BY a.id LIMIT %1$s)) f
			WHERE f.parent_id IS NOT NULL
			UNION ALL
			(SELECT 'PREDECESSOR', predecessor_id, job_id FROM successor WHERE predecessor_id IS NOT NULL LIMIT 200)
			UNION ALL
			(SELECT 'PREDECESSOR', predecessor_id, job_id FROM predecessor WHERE job_id IS NOT NULL LIMIT 200)
			UNION ALL
			SELECT 'MEMBER', id, batch_id FROM job WHERE batch_id IS NOT NULL
			UNION ALL
			SELECT 'CALLBACK', id, then_id FROM batch
			UNION ALL
			SELECT 'FAILURE_CALLBACK', id, failure_id FROM batch WHERE failure_id IS NOT NULL
			"""
		.formatted(MAX_FAMILY);

	@Override
	public List<Relation> around(UUID job) {
		return this.transactions.list(QueueTransaction.BEGIN_MONITORING, AROUND, (parameters) -> parameters.value(job),
				(row, number) -> new Relation(Relation.Kind.valueOf(row.getString("kind")),
						row.getObject("first_id", UUID.class), row.getObject("second_id", UUID.class)));
	}

	private static final String FIND = """
			SELECT i.id, f.queue, f.type, f.state
			FROM unnest(?::uuid[]) AS i (id)
			CROSS JOIN LATERAL (
			    (SELECT v.queue, v.type, v.state FROM jobqueue_jobs v WHERE v.id = i.id LIMIT 1)
			    UNION ALL
			    (SELECT NULL, b.name, NULL FROM jobqueue_batch b WHERE b.id = i.id LIMIT 1)) f
			""";

	@Override
	public List<Related> find(Collection<UUID> ids) {
		return this.transactions.list(QueueTransaction.BEGIN_MONITORING, FIND,
				(parameters) -> parameters.uuids(ids, Function.identity()), (row, number) -> {
					String state = row.getString("state");
					return new Related(row.getObject("id", UUID.class), row.getString("queue"), row.getString("type"),
							(state != null) ? JobState.valueOf(state) : null);
				});
	}

}
