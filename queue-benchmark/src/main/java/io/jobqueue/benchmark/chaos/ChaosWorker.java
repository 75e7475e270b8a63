package io.jobqueue.benchmark.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

import javax.sql.DataSource;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A worker in a JVM of its own. It stops when its input ends.
 */
final class ChaosWorker {

	static final String READY = "ready";

	private ChaosWorker() {
	}

	/**
	 * Work until the standard input ends. Each line of it says how long all connections
	 * of the pool are to be held.
	 * @param args the JDBC URL of the database, then settings, as {@code key=value}
	 * @throws IOException if the input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		String[] settings = Arrays.copyOfRange(args, 1, args.length);
		try (ConfigurableApplicationContext application = ChaosApplication.start(args[0], settings)) {
			System.out.println(READY);
			follow(application.getBean(DataSource.class));
		}
	}

	private static void follow(DataSource pool) throws IOException {
		BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String order = orders.readLine(); order != null; order = orders.readLine()) {
			new PoolHog(pool, Duration.parse(order)).start();
		}
	}

}
