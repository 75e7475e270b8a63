package io.jobqueue.boot.autoconfigure;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;

import io.jobqueue.JobOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.JobQueue;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.operations.CurrentUser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators use, and who they are.
 */
class OperationsConfigurationTests extends QueueTestBase {

	@AfterEach
	void signOut() {
		SecurityContextHolder.clearContext();
	}

	@Test
	void operatorIsTheUserOfSpringSecurity() {
		this.contextRunner.run((context) -> {
			JobOperations operations = context.getBean(JobOperations.class);
			SecurityContextHolder.getContext()
				.setAuthentication(new AnonymousAuthenticationToken("key", "anonymousUser",
						AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS")));
			operations.pause("anonymous");
			SecurityContextHolder.clearContext();
			operations.pause("first");
			SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", ""));
			operations.pause("second");
			assertThat(operations.pauses()).extracting(QueuePause::by).containsExactly(null, null, "alice");
		});
	}

	@Test
	void userIsUnknownWithoutSpringSecurity() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(SecurityContextHolder.class)).run((context) -> {
			assertThat(context).doesNotHaveBean(CurrentUser.class);
			JobOperations operations = context.getBean(JobOperations.class);
			operations.pause("first");
			assertThat(operations.pauses()).extracting(QueuePause::by).containsOnlyNulls();
		});
	}

	@Test
	void applicationMayKnowTheUserItself() {
		this.contextRunner.withBean(CurrentUser.class, () -> () -> "root").run((context) -> {
			JobOperations operations = context.getBean(JobOperations.class);
			operations.pause("first");
			assertThat(operations.pauses()).extracting(QueuePause::by).containsExactly("root");
		});
	}

	@Test
	void jobRunsOnTheThreadOfTheOperator() {
		this.contextRunner.withUserConfiguration(Greetings.class)
			.withPropertyValues("jobqueue.worker.enabled=false")
			.run((context) -> {
				UUID job = context.getBean(JobQueue.class).enqueue(new Greeting("world")).id();
				context.getBean(JobOperations.class).runHere(job);
				assertThat(context.getBean(JobOperations.class).find(job).orElseThrow().state().name())
					.isEqualTo("SUCCEEDED");
				assertThat(context.getBean(Greetings.class).threads()).containsExactly(Thread.currentThread());
			});
	}

	@Test
	void cancelledJobsAreKeptAsLongAsTheirQueueSays() {
		this.contextRunner
			.withPropertyValues("jobqueue.worker.enabled=false", "jobqueue.defaults.retention.cancelled=13h",
					"jobqueue.queues.emails.retention.cancelled=0")
			.run((context) -> {
				JobOperations operations = context.getBean(JobOperations.class);
				for (String queue : List.of("default", "emails")) {
					operations.cancel(enqueue(context, queue));
					enqueue(context, queue);
					operations.bulk().cancel(JobQuery.all().queue(queue));
				}
				assertThat(this.sql.sql("SELECT queue || (keep_until - finished_at)::text FROM jobqueue_archive")
					.query(String.class)
					.list()).containsExactly("default13:00:00", "default13:00:00");
				assertThat(this.sql.sql("SELECT id FROM jobqueue_job").query(UUID.class).list()).isEmpty();
			});
	}

	private static UUID enqueue(ApplicationContext context, String queue) {
		return context.getBean(JobQueue.class).enqueue(queue, new Greeting("world")).id();
	}

}
