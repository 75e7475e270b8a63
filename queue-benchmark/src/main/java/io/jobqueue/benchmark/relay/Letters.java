package io.jobqueue.benchmark.relay;

import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

import org.springframework.kafka.core.KafkaTemplate;

import io.jobqueue.JobHandler;
import io.jobqueue.JobType;

/**
 * Handlers of jobs: one does nothing, another one sends the payload to the topic and
 * waits for its acknowledgement, as one writes it without a relay.
 */
class Letters {

	static final String TOPIC = "letters";

	static final String RELAYED = "relayed-letters";

	private final KafkaTemplate<String, String> kafka;

	private volatile Runnable listener = () -> {
	};

	Letters(KafkaTemplate<String, String> kafka) {
		this.kafka = kafka;
	}

	/**
	 * Replace the listener.
	 * @param listener is called at the end of each job
	 */
	void onJob(Runnable listener) {
		this.listener = listener;
	}

	@JobHandler
	void handle(Letter letter) {
		this.listener.run();
	}

	@JobHandler
	void send(SentLetter letter) throws InterruptedException, ExecutionException {
		this.kafka.send(new ProducerRecord<>(TOPIC, letter.key(), letter.text())).get();
		this.listener.run();
	}

	/**
	 * The payload of jobs that do nothing.
	 *
	 * @param text what fills it
	 * @param key the key of the record
	 */
	@JobType(queue = "letters")
	record Letter(String text, @Nullable String key) {
	}

	/**
	 * The payload of jobs whose handler sends it.
	 *
	 * @param text what fills it
	 * @param key the key of the record
	 */
	@JobType(queue = "sent-letters")
	record SentLetter(String text, @Nullable String key) {
	}

	/**
	 * The payload of jobs that are relayed.
	 *
	 * @param text what fills it
	 * @param key the key of the record
	 */
	@JobType(queue = RELAYED)
	record RelayedLetter(String text, @Nullable String key) {
	}

}
