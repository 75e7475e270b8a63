package io.jobqueue.benchmark.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A worker in a JVM of its own. It stops when its input ends.
 */
final class ChaosWorker {

	static final String READY = "ready";

	static final String REPLACE_POOL = "replace pool";

	private static final Logger logger = LoggerFactory.getLogger(ChaosWorker.class);

	private ChaosWorker() {
	}

	/**
	 * Work until the standard input ends. Each line of it says how long all connections
	 * of the pool are to be held, or that the pool is to be replaced.
	 * @param args the JDBC URL of the database, then settings, as {@code key=value}
	 * @throws IOException if the input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		String[] settings = Arrays.copyOfRange(args, 1, args.length);
		try (ConfigurableApplicationContext application = ChaosApplication.start(args[0], settings)) {
			System.out.println(READY);
			follow(application.getBean(ReplaceablePool.class));
		}
	}

	private static void follow(ReplaceablePool pool) throws IOException {
		BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String order = orders.readLine(); order != null; order = orders.readLine()) {
			if (order.equals(REPLACE_POOL)) {
				logger.warn("The pool is replaced, {} connections of the old one were in use", pool.replace());
			}
			else {
				new PoolHog(pool, Duration.parse(order)).start();
			}
		}
	}

}
