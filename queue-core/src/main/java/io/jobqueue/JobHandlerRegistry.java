package io.jobqueue;

/**
 * Adds handlers to a running application, and takes them away again: for queues and
 * payloads that are only known by then. A bean of this type is there to be injected.
 *
 * <pre class="code">
 * registry.register("emails", ConfirmationEmail.class, (email, job) -&gt; {
 *     send(email);
 *     return JobResult.success();
 * });</pre>
 *
 * <p>
 * What is registered behaves like a {@link JobHandler} that is delivered at least once,
 * with the settings of its queue, and only in this JVM. Its processing begins within
 * moments where the worker is running, else when the worker starts; jobs that have been
 * waiting for it are found. It stays registered while a worker is stopped and started
 * again.
 * <p>
 * The name of a type belongs to its payload class for as long as the application runs,
 * also after the handler is gone. Methods may be called by any thread.
 */
public interface JobHandlerRegistry {

	/**
	 * Handle the jobs of a queue that have the type of a payload class, and those of its
	 * {@linkplain JobType#aliases() aliases}.
	 * @param <T> the class of the payload
	 * @param queue the queue's name
	 * @param payload the class of the payload
	 * @param handler what handles a job
	 * @throws InvalidConfigurationException if the queue and the type have a handler
	 * already, the queue's name is none, or the class yields no name of a type or one
	 * that belongs to another class. While the application starts, a second handler that
	 * is a bean is found at the end of the start, which then fails
	 */
	<T> void register(String queue, Class<T> payload, Handler<T> handler);

	/**
	 * Take away a handler that was registered here. Jobs that it is running come to their
	 * end; those that were claimed and have not begun go back, uncounted; no further ones
	 * are claimed from the next claim on.
	 * @param queue the queue's name
	 * @param payload the class of the payload
	 * @throws InvalidConfigurationException if no such handler is registered
	 */
	void unregister(String queue, Class<?> payload);

	/**
	 * Handles jobs.
	 *
	 * @param <T> the class of their payload
	 */
	@FunctionalInterface
	interface Handler<T> {

		/**
		 * Handle a job. It may run on several threads at once.
		 * @param payload the payload
		 * @param job the job
		 * @return what is to become of the job
		 * @throws Exception if the attempt has failed
		 */
		JobResult handle(T payload, JobContext job) throws Exception;

	}

}
