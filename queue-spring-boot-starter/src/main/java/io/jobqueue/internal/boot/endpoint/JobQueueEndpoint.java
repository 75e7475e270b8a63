package io.jobqueue.internal.boot.endpoint;

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
import io.jobqueue.RecurringJobs;
import io.jobqueue.Workflows;

/**
 * Actuator endpoint for {@link JobOperations}, {@link RecurringJobs} and
 * {@link Workflows}. Once it is exposed it allows reads; write operations require
 * {@code management.endpoint.jobqueue.access=unrestricted}.
 */
@WebEndpoint(id = JobQueueEndpoint.ID, defaultAccess = Access.READ_ONLY)
public final class JobQueueEndpoint {

	static final String ID = "jobqueue";

	private static final String JOBS = "jobs";

	private static final String QUEUES = "queues";

	private static final String BULK = "bulk";

	private static final String RECURRING = "recurring";

	private static final String BATCHES = "batches";

	private static final String TOPICS = "topics";

	private static final String WORKFLOWS = "workflows";

	private final JobOperations operations;

	private final RecurringJobs schedules;

	private final Workflows workflows;

	private final Predicate<String> declared;

	private final JobResource jobs;

	private final QueueResource queues;

	private final RecurringResource recurring;

	private final BatchResource batches;

	private final Show showValues;

	private final Set<String> roles;

	/**
	 * Create the endpoint.
	 * @param operations the operations
	 * @param schedules the operations on schedules
	 * @param workflows the operations on workflows
	 * @param showValues when payloads and other confidential values are shown
	 * @param roles the roles that may see them, all authenticated users if empty
	 * @param declared whether this application or a living worker declares a queue
	 */
	public JobQueueEndpoint(JobOperations operations, RecurringJobs schedules, Workflows workflows, Show showValues,
			Set<String> roles, Predicate<String> declared) {
		this.operations = operations;
		this.schedules = schedules;
		this.workflows = workflows;
		this.declared = declared;
		this.jobs = new JobResource(operations);
		this.queues = new QueueResource(operations, declared);
		this.recurring = new RecurringResource(schedules);
		this.batches = new BatchResource(operations);
		this.showValues = showValues;
		this.roles = Set.copyOf(roles);
	}

	@ReadOperation
	Object overview(RequestParameters parameters) {
		return this.queues.overview(parameters);
	}

	@ReadOperation
	Object list(@Selector String kind, RequestParameters parameters, SecurityContext user) {
		return switch (kind) {
			case JOBS -> this.jobs.list(parameters, sanitizer(user));
			case "groups" -> this.queues.group(parameters, sanitizer(user));
			case RECURRING -> this.recurring.list(parameters);
			case BATCHES -> this.batches.list(parameters, sanitizer(user));
			case TOPICS -> new TopicResource(this.operations).list(parameters);
			case WORKFLOWS -> new WorkflowResource(this.workflows).list(parameters);
			default -> throw unknown(kind);
		};
	}

	@ReadOperation
	Object show(@Selector String kind, @Selector String subject, RequestParameters parameters, SecurityContext user) {
		return switch (kind) {
			case JOBS -> this.jobs.show(subject, parameters, sanitizer(user));
			case QUEUES -> this.queues.show(subject, parameters);
			case RECURRING -> this.recurring.show(subject, parameters);
			case BATCHES -> this.batches.show(subject, parameters, sanitizer(user));
			case TOPICS -> new TopicResource(this.operations).show(subject, parameters);
			case WORKFLOWS -> new WorkflowResource(this.workflows).show(subject, parameters);
			default -> throw unknown(kind);
		};
	}

	@ReadOperation
	Object find(@Selector String kind, @Selector String subject, @Selector String what, RequestParameters parameters,
			SecurityContext user) {
		return switch (kind + "/" + what) {
			case "jobs/why" -> this.jobs.why(subject, parameters, sanitizer(user));
			case "queues/job" -> this.jobs.showByKey(subject, parameters, sanitizer(user));
			case "queues/group" -> this.queues.group(subject, parameters, sanitizer(user));
			default -> throw unknown(kind + "/" + subject + "/" + what);
		};
	}

	@WriteOperation
	Object changeMany(@Selector String kind, @Selector String operation, RequestParameters parameters,
			SecurityContext user) {
		return switch (kind) {
			case BULK -> new BulkResource(operations(parameters).bulk()).run(operation, parameters.withoutReason(),
					sanitizer(user));
			default -> throw unknown(kind);
		};
	}

	@WriteOperation
	Object change(@Selector String kind, @Selector String subject, @Selector String operation,
			RequestParameters parameters, SecurityContext user) {
		return switch (kind) {
			case JOBS -> new JobResource(operations(parameters)).run(operation, subject, parameters.withoutReason(),
					sanitizer(user));
			case QUEUES -> new QueueResource(operations(parameters), this.declared).run(operation, subject,
					parameters.withoutReason());
			case RECURRING ->
				new RecurringResource(schedules(parameters)).run(operation, subject, parameters.withoutReason());
			case TOPICS ->
				new TopicResource(operations(parameters)).run(operation, subject, parameters.withoutReason());
			case WORKFLOWS ->
				new WorkflowResource(workflows(parameters)).run(operation, subject, parameters.withoutReason());
			default -> throw unknown(kind);
		};
	}

	@WriteOperation
	Object changeByKey(@Selector String kind, @Selector String subject, @Selector String what,
			@Selector String operation, RequestParameters parameters, SecurityContext user) {
		return switch (kind + "/" + what) {
			case "queues/job" -> new JobResource(operations(parameters)).runByKey(operation, subject,
					parameters.withoutReason(), sanitizer(user));
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
	 * A page of another site can make a browser send a POST request without JSON: such
	 * requests are refused.
	 */
	private static Object withoutBody() {
		return ErrorResponses.invalid(
				"The body must be JSON, at least an empty object: curl --json '{}' …, or Content-Type: application/json");
	}

	private JobOperations operations(RequestParameters parameters) {
		String reason = parameters.reason();
		return (reason != null) ? this.operations.because(reason) : this.operations;
	}

	private RecurringJobs schedules(RequestParameters parameters) {
		String reason = parameters.reason();
		return (reason != null) ? this.schedules.because(reason) : this.schedules;
	}

	private Workflows workflows(RequestParameters parameters) {
		String reason = parameters.reason();
		return (reason != null) ? this.workflows.because(reason) : this.workflows;
	}

	private ValueSanitizer sanitizer(SecurityContext user) {
		return new ValueSanitizer(this.showValues.isShown(user, this.roles),
				"management.endpoint.jobqueue.show-values");
	}

	private static IllegalArgumentException unknown(String path) {
		return new IllegalArgumentException("Unknown path '%s': the documentation lists all paths".formatted(path));
	}

}
