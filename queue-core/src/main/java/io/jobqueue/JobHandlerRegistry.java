package io.jobqueue;

/**
 * Registers and removes handlers while the application runs, for queues and payloads that
 * are not known before. The application has a bean of this type.
 *
 * <pre class="code">
 * registry.register("emails", ConfirmationEmail.class, (email, job) -&gt; {
 *     send(email);
 *     return JobResult.success();
 * });</pre>
 *
 * <p>
 * A registered handler behaves like a {@link JobHandler} with at-least-once delivery and
 * the settings of its queue, in this JVM only. It receives jobs, also those that wait
 * already, at once if the worker runs, otherwise when the worker starts. It stays
 * registered while a worker is stopped and started again.
 * <p>
 * The name of a type belongs to its payload class while the application runs, even after
 * the handler is removed. Any thread may call the methods.
 */
public interface JobHandlerRegistry {

	/**
	 * Register a handler for the jobs of a queue with the type of a payload class or one
	 * of its {@linkplain JobType#aliases() aliases}.
	 * @param <T> the class of the payload
	 * @param queue the queue's name
	 * @param payload the class of the payload
	 * @param handler the handler
	 * @throws InvalidConfigurationException if the type has a handler in this queue
	 * already, the queue's name is invalid, the queue has a relay, or the class has no
	 * type name or that of another class. During the start of the application, a conflict
	 * with a bean is detected at the end of the start, which then fails
	 */
	<T> void register(String queue, Class<T> payload, Handler<T> handler);

	/**
	 * Remove a registered handler. Running jobs finish, buffered jobs are released
	 * without counting the attempt, and no further jobs are claimed from the next claim
	 * on.
	 * @param queue the queue's name
	 * @param payload the class of the payload
	 * @throws InvalidConfigurationException if no such handler is registered
	 */
	void unregister(String queue, Class<?> payload);

	/**
	 * Handles the jobs of a type.
	 *
	 * @param <T> the class of their payload
	 */
	@FunctionalInterface
	interface Handler<T> {

		/**
		 * Handle a job. Several threads may call this method at once.
		 * @param payload the payload
		 * @param job the job
		 * @return the result of the job
		 * @throws Exception to fail the attempt
		 */
		JobResult handle(T payload, JobContext job) throws Exception;

	}

}
