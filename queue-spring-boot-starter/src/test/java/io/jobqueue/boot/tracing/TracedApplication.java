package io.jobqueue.boot.tracing;

import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;

/**
 * A web application whose requests lead to jobs, and these to others.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class TracedApplication {

	@Bean
	Spans spans() {
		return new Spans(InMemorySpanExporter.create());
	}

	/**
	 * Hands spans on as they end, instead of in batches.
	 */
	@Bean
	SimpleSpanProcessor spanProcessor(Spans spans) {
		return SimpleSpanProcessor.builder(spans.exporter()).build();
	}

	@Bean
	Fulfilment fulfilment(JobQueue queue) {
		return new Fulfilment(queue);
	}

	/**
	 * Hides the exporter from Boot, which would have all spans exported once more.
	 *
	 * @param exporter what keeps the spans
	 */
	record Spans(InMemorySpanExporter exporter) {
	}

	record Order(String item) {
	}

	record Parcel(String item) {
	}

	/**
	 * Takes orders.
	 */
	@RestController
	static class Orders {

		private final JobQueue queue;

		Orders(JobQueue queue) {
			this.queue = queue;
		}

		@PostMapping("/orders")
		String order() {
			return this.queue.enqueue("orders", new Order("book")).id().toString();
		}

	}

	/**
	 * Fails at first, and then leads to another job.
	 */
	static class Fulfilment {

		private final JobQueue queue;

		Fulfilment(JobQueue queue) {
			this.queue = queue;
		}

		@JobHandler(queue = "orders")
		void pack(Order order, JobContext job) {
			if (job.attempt() == 1) {
				throw new IllegalStateException("out of boxes");
			}
			this.queue.enqueue("parcels", new Parcel(order.item()));
		}

		@JobHandler(queue = "parcels")
		void send(Parcel parcel) {
		}

	}

}
