package io.jobqueue.boot.autoconfigure;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;

/**
 * A whole application, to be run by a class loader of its own.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class BareApplication {

	private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

	@JobHandler
	void handle(Word word) {
		this.received.add(word.text());
	}

	/**
	 * Run a job.
	 * @param classLoader the class loader
	 * @param url the URL of the database
	 * @param username who may connect
	 * @param password the password
	 * @return what the handler received
	 * @throws InterruptedException if interrupted
	 */
	public static String run(ClassLoader classLoader, String url, String username, String password)
			throws InterruptedException {
		ClassLoader previous = Thread.currentThread().getContextClassLoader();
		Thread.currentThread().setContextClassLoader(classLoader);
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(BareApplication.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.run("--spring.datasource.url=" + url, "--spring.datasource.username=" + username,
					"--spring.datasource.password=" + password,
					"--spring.datasource.type=" + SimpleDriverDataSource.class.getName())) {
			context.getBean(JobQueue.class).enqueue(new Word("world"));
			return context.getBean(BareApplication.class).received.poll(30, TimeUnit.SECONDS);
		}
		finally {
			Thread.currentThread().setContextClassLoader(previous);
		}
	}

	record Word(String text) {
	}

}
