package io.jobqueue.newsletter;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import io.jobqueue.JobHandler;

/**
 * Those who get the newsletter. The handler knows nothing of Kafka: it would be the same
 * if the sample enqueued into this database.
 */
@RestController
class Subscribers {

	/**
	 * The same record may arrive twice.
	 */
	private static final String SUBSCRIBE = """
			INSERT INTO subscriber (email, name)
			VALUES (:email, :name)
			ON CONFLICT (email) DO NOTHING
			""";

	private static final String LATEST = """
			SELECT name, email
			FROM subscriber
			ORDER BY subscribed_at DESC
			LIMIT 50
			""";

	private final JdbcClient jdbc;

	Subscribers(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@JobHandler(queue = "subscribers")
	void subscribe(Subscriber subscriber) {
		this.jdbc.sql(SUBSCRIBE).param("email", subscriber.email()).param("name", subscriber.name()).update();
	}

	@GetMapping("/subscribers")
	List<Subscriber> latest() {
		return this.jdbc.sql(LATEST).query(Subscriber.class).list();
	}

}
