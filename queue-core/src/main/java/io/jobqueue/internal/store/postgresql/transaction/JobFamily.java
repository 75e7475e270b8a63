package io.jobqueue.internal.store.postgresql.transaction;

/**
 * The family of a new job whose enqueueing handler runs another job, its parent.
 */
public final class JobFamily {

	/**
	 * An expression with three parameters, each the id of the parent. The root of a
	 * family has no root itself. The parent has ended if its claim was lost, or if its
	 * transaction is committed and the handler's thread enqueues after that. If the
	 * archive has not kept it either, a new family begins with it. Without a parent, the
	 * server reads nothing.
	 */
	public static final String ROOT = """
			coalesce(
			    (SELECT coalesce(p.root_id, p.id) FROM jobqueue_job p WHERE p.id = ?::uuid),
			    (SELECT coalesce(p.root_id, p.id) FROM jobqueue_archive p WHERE p.id = ?::uuid),
			    ?::uuid)""";

	private JobFamily() {
	}

}
