package io.jobqueue.boot.autoconfigure;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.boot.autoconfigure.WorkerLifecycleTests.Journal;
import io.jobqueue.boot.autoconfigure.WorkerLifecycleTests.Parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

/**
 * When the worker starts and stops, compared with a web server, a message listener
 * container and a scheduled method.
 */
@Tag("slow") // starts a web server
class WorkerOrderTests extends QueueTestBase {

	private static final List<String> PARTS = List.of("web", "messages", "schedule");

	private static final List<String> SUCCEEDED = List.of("SUCCEEDED", "SUCCEEDED", "SUCCEEDED");

	@Test
	void partsStartBeforeTheWorkerAndAgainAfterAStopOrPause() {
		try (ConfigurableApplicationContext context = run()) {
			Map<String, Boolean> runningAt = context.getBean(Journal.class).runningAt;
			awaitSuccess("start");
			assertThat(runningAt).containsOnlyKeys("web start", "messages start", "refreshed", "runner", "ready")
				.doesNotContainValue(true);
			assertStartsAgain(context, "stop", context::stop, context::start);
			assertThat(runningAt).containsOnlyKeys("messages stop", "web start", "messages start")
				.doesNotContainValue(true);
			assertStartsAgain(context, "pause", context::pause, context::restart);
			assertThat(runningAt).containsOnlyKeys("messages stop", "messages start").doesNotContainValue(true);
		}
	}

	private void assertStartsAgain(ConfigurableApplicationContext context, String group, Runnable stop,
			Runnable start) {
		context.getBean(Journal.class).runningAt.clear();
		stop.run();
		enqueue(context.getBean(JobQueue.class), "use", group);
		start.run();
		awaitSuccess(group);
	}

	@Test
	void partsServeHandlersUntilTheyEndAndMayEnqueueUntilTheyStopThemselves() {
		CompletableFuture<HttpResponse<String>> request;
		Journal journal;
		try (ConfigurableApplicationContext context = run()) {
			journal = context.getBean(Journal.class);
			awaitSuccess("start");
			enqueue(context.getBean(JobQueue.class), "use-while-closing", "close");
			request = context.getBean(Web.class).get("/last");
			context.getBean(Messages.class).sendLast();
			Collection<String> begun = context.getBean(Begun.class).all;
			await().until(() -> begun.size() == 5);
		}
		assertThat(states("close")).isEqualTo(SUCCEEDED);
		assertThat(request.join().statusCode()).isEqualTo(200);
		assertThat(states("last")).containsExactly("READY", "READY");
		assertThat(journal.runningAt).containsKeys("closed", "messages stop", "web stop").doesNotContainValue(true);
	}

	private ConfigurableApplicationContext run() {
		return new SpringApplicationBuilder(Application.class).logStartupInfo(false)
			.properties(Map.of("spring.main.banner-mode", "off", "spring.datasource.url", this.database.jdbcUrl(),
					"spring.datasource.username", this.database.username(), "spring.datasource.password",
					this.database.password(), "server.port", 0, "server.shutdown", "graceful"))
			.run();
	}

	private static void enqueue(JobQueue queue, String type, String group) {
		queue.enqueueAll(PARTS.stream()
			.map((part) -> JobRequest.of("work", part).type(type).group(group).maxAttempts(1))
			.toList());
	}

	private void awaitSuccess(String group) {
		await().untilAsserted(() -> assertThat(states(group)).isEqualTo(SUCCEEDED));
	}

	private List<String> states(String group) {
		return this.sql.sql("SELECT state FROM jobqueue_jobs WHERE job_group = ?")
			.param(group)
			.query(String.class)
			.list();
	}

	/**
	 * Uses each part before the worker starts, too.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ TomcatServletWebServerAutoConfiguration.class, TaskSchedulingAutoConfiguration.class })
	@EnableScheduling
	@Import({ Journal.class, Begun.class, Handlers.class })
	static class Application extends Parts {

		@Bean
		Web web(Environment environment, Journal journal, Begun begun) {
			return new Web(environment, journal, begun);
		}

		@Bean
		Messages messages(Journal journal, Begun begun) {
			return new Messages(journal, begun);
		}

		@Bean
		Schedule schedule() {
			return new Schedule();
		}

		@Bean
		DefaultMessageListenerContainer container(Messages messages, Journal journal) throws JMSException {
			DefaultMessageListenerContainer container = new Container(journal);
			container.setConnectionFactory(messages.connections());
			container.setDestination(mock(Queue.class));
			container.setReceiveTimeout(20);
			container.setConcurrentConsumers(2);
			container.setMessageListener(messages);
			return container;
		}

		@Bean
		InitializingBean dueAtTheStart(JobQueue queue) {
			return () -> enqueue(queue, "use", "start");
		}

		@Bean
		ApplicationRunner runner(Collection<Part> parts, Journal journal) {
			return (arguments) -> {
				for (Part part : parts) {
					part.use();
				}
				journal.note("runner");
			};
		}

	}

	record Handlers(Map<String, Part> parts, ConfigurableApplicationContext context, Begun begun) {

		@JobHandler(queue = "work", type = "use")
		void use(String part) throws Exception {
			this.parts.get(part).use();
		}

		@JobHandler(queue = "work", type = "use-while-closing")
		void useWhileClosing(String part) throws Exception {
			this.begun.all.add(part);
			await().until(this.context::isClosed);
			use(part);
		}

	}

	/**
	 * What runs when the context closes.
	 */
	static class Begun {

		private final Collection<String> all = new ConcurrentLinkedQueue<>();

		private final JobQueue queue;

		Begun(JobQueue queue) {
			this.queue = queue;
		}

		/**
		 * Enqueue a job when a part has stopped to accept work.
		 */
		void enqueueLast(String work, BooleanSupplier stopped) {
			this.all.add(work);
			await().until(stopped::getAsBoolean);
			this.queue.enqueue(JobRequest.of("work", "any").type("use").group("last"));
		}

	}

	/**
	 * A part of the application that handlers use.
	 */
	interface Part {

		void use() throws Exception;

	}

	@SuppressWarnings("serial")
	static class Web extends HttpServlet implements Part {

		private final HttpClient client = HttpClient.newHttpClient();

		private final Environment environment;

		private final Journal journal;

		private final Begun begun;

		Web(Environment environment, Journal journal, Begun begun) {
			this.environment = environment;
			this.journal = journal;
			this.begun = begun;
		}

		@EventListener(WebServerInitializedEvent.class)
		void started() {
			this.journal.note("web start");
		}

		/**
		 * The server may stop as soon as a servlet has ended, without its answer.
		 */
		@Override
		protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
			if (request.getRequestURI().equals("/last")) {
				this.begun.enqueueLast("request", this::refusesConnections);
			}
			response.setContentLength(0);
			response.flushBuffer();
		}

		private boolean refusesConnections() {
			try (Socket accepted = new Socket(InetAddress.getLoopbackAddress(), port())) {
				return !accepted.isConnected();
			}
			catch (ConnectException ex) {
				this.journal.note("web stop");
				return true;
			}
			catch (IOException ex) {
				return false;
			}
		}

		private int port() {
			return this.environment.getRequiredProperty("local.server.port", Integer.class);
		}

		CompletableFuture<HttpResponse<String>> get(String path) {
			HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path)).build();
			return this.client.sendAsync(request, BodyHandlers.ofString());
		}

		@Override
		public void use() throws Exception {
			assertThat(get("/").get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
		}

	}

	/**
	 * Has the phase of the worker, the highest one, as containers of RabbitMQ have. Those
	 * of Kafka, like the web server, have a lower one.
	 */
	static class Container extends DefaultMessageListenerContainer {

		private final Journal journal;

		Container(Journal journal) {
			this.journal = journal;
		}

		@Override
		public void start() {
			this.journal.note("messages start");
			super.start();
		}

		@Override
		public void stop(Runnable callback) {
			this.journal.note("messages stop");
			super.stop(callback);
		}

	}

	/**
	 * The messages that are sent, and their listener.
	 */
	static class Messages implements Part, MessageListener {

		private final BlockingQueue<Message> sent = new LinkedBlockingQueue<>();

		private final Set<Message> received = ConcurrentHashMap.newKeySet();

		private final Message last = mock();

		private final Journal journal;

		private final Begun begun;

		Messages(Journal journal, Begun begun) {
			this.journal = journal;
			this.begun = begun;
		}

		ConnectionFactory connections() throws JMSException {
			MessageConsumer consumer = mock();
			when(consumer.receive(anyLong()))
				.thenAnswer((receive) -> this.sent.poll(receive.getArgument(0, Long.class), TimeUnit.MILLISECONDS));
			Session session = mock();
			when(session.createConsumer(any(), any())).thenReturn(consumer);
			Connection connection = mock();
			when(connection.createSession(anyBoolean(), anyInt())).thenReturn(session);
			ConnectionFactory connections = mock();
			when(connections.createConnection()).thenReturn(connection);
			return connections;
		}

		void sendLast() {
			this.sent.add(this.last);
		}

		@Override
		public void onMessage(Message message) {
			if (message == this.last) {
				this.begun.enqueueLast("message", () -> this.journal.runningAt.containsKey("messages stop"));
			}
			this.received.add(message);
		}

		@Override
		public void use() {
			Message message = mock();
			this.sent.add(message);
			await().until(() -> this.received.contains(message));
		}

	}

	static class Schedule implements Part {

		private final AtomicInteger ticks = new AtomicInteger();

		@Scheduled(fixedDelay = 10, timeUnit = TimeUnit.MILLISECONDS)
		void tick() {
			this.ticks.incrementAndGet();
		}

		/**
		 * Wait for a run that begins later.
		 */
		@Override
		public void use() {
			int before = this.ticks.get();
			await().until(() -> this.ticks.get() > before + 1);
		}

	}

}
