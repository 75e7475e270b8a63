package io.jobqueue.boot.endpoint;

import java.util.Set;
import java.util.function.Predicate;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

import io.jobqueue.JobOperations;

/**
 * What {@link JobOperations} can do, for scripts. Exposing it allows reads; changes need
 * a setting of their own.
 */
@WebEndpoint(id = JobQueueEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class JobQueueEndpoint {

	static final String ID = "jobqueue";

	private static final String JOBS = "jobs";

	private static final String QUEUES = "queues";

	private static final String BULK = "bulk";

	private final JobReads jobs;

	private final QueueReads queues;

	private final JobWrites jobWrites;

	private final QueueWrites queueWrites;

	private final BulkWrites bulkWrites;

	private final Show showValues;

	private final Set<String> roles;

	/**
	 * Create the endpoint.
	 * @param operations what it can do
	 * @param showValues when payloads, and whatever else may be confidential, are shown
	 * @param roles who is authorized to see them, all authenticated users if empty
	 * @param declared whether this application or a living worker declares a queue
	 */
	public JobQueueEndpoint(JobOperations operations, Show showValues, Set<String> roles, Predicate<String> declared) {
		this.jobs = new JobReads(operations);
		this.queues = new QueueReads(operations);
		this.jobWrites = new JobWrites(operations);
		this.queueWrites = new QueueWrites(operations, declared);
		this.bulkWrites = new BulkWrites(operations.bulk());
		this.showValues = showValues;
		this.roles = Set.copyOf(roles);
	}

	@ReadOperation
	Object overview(Arguments arguments) {
		return this.queues.overview(arguments);
	}

	@ReadOperation
	Object list(@Selector String kind, Arguments arguments, SecurityContext user) {
		return switch (kind) {
			case JOBS -> this.jobs.list(arguments, values(user));
			case "groups" -> this.queues.group(arguments, values(user));
			default -> throw unknown(kind);
		};
	}

	@ReadOperation
	Object show(@Selector String kind, @Selector String subject, Arguments arguments, SecurityContext user) {
		return switch (kind) {
			case JOBS -> this.jobs.show(subject, arguments, values(user));
			case QUEUES -> this.queues.show(subject, arguments);
			default -> throw unknown(kind);
		};
	}

	@ReadOperation
	Object find(@Selector String kind, @Selector String subject, @Selector String what, Arguments arguments,
			SecurityContext user) {
		return switch (kind + "/" + what) {
			case "queues/job" -> this.jobs.showByKey(subject, arguments, values(user));
			case "queues/group" -> this.queues.group(subject, arguments, values(user));
			default -> throw unknown(kind + "/" + subject + "/" + what);
		};
	}

	@WriteOperation
	Object changeMany(@Selector String kind, @Selector String operation, Arguments arguments, SecurityContext user) {
		return switch (kind) {
			case BULK -> this.bulkWrites.run(operation, arguments, values(user));
			default -> throw unknown(kind);
		};
	}

	@WriteOperation
	Object change(@Selector String kind, @Selector String subject, @Selector String operation, Arguments arguments,
			SecurityContext user) {
		return switch (kind) {
			case JOBS -> this.jobWrites.run(operation, subject, arguments, values(user));
			case QUEUES -> this.queueWrites.run(operation, subject, arguments);
			default -> throw unknown(kind);
		};
	}

	@WriteOperation
	Object changeByKey(@Selector String kind, @Selector String subject, @Selector String what,
			@Selector String operation, Arguments arguments, SecurityContext user) {
		return switch (kind + "/" + what) {
			case "queues/job" -> this.jobWrites.runByKey(operation, subject, arguments, values(user));
			default -> throw unknown(kind + "/" + subject + "/" + what);
		};
	}

	@WriteOperation
	Object changeManyWithoutBody(@Selector String kind, @Selector String operation) {
		return withoutBody();
	}

	@WriteOperation
	Object changeWithoutBody(@Selector String kind, @Selector String subject, @Selector String operation) {
		return withoutBody();
	}

	@WriteOperation
	Object changeByKeyWithoutBody(@Selector String kind, @Selector String subject, @Selector String what,
			@Selector String operation) {
		return withoutBody();
	}

	/**
	 * A page of another site can have a browser post without JSON: that changes nothing.
	 */
	private static Object withoutBody() {
		return Failures.invalid(
				"The body must be JSON, at least an empty object: curl --json '{}' …, or Content-Type: application/json");
	}

	private Values values(SecurityContext user) {
		return new Values(this.showValues.isShown(user, this.roles));
	}

	private static IllegalArgumentException unknown(String path) {
		return new IllegalArgumentException("Unknown path '%s': the documentation lists all paths".formatted(path));
	}

}
