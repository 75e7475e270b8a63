package io.jobqueue.internal.handler;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.jobqueue.Delivery;
import io.jobqueue.JobBatch;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobInterceptor;
import io.jobqueue.JobResult;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.JobTypes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What is said about handlers that cannot take several jobs, and which signatures can.
 */
class BatchMistakesTests extends NodeTestBase {

	static final Arguments[] MISTAKES = {
			arguments(new WithoutSize(), "takes a List, but a handler takes a single payload", "set batchSize"),
			arguments(new BatchWithoutSize(), "takes a JobBatch, but has no batchSize",
					"Set batchSize, from 2 to 1,000"),
			arguments(new OfSingle(), "has a batchSize, but takes io.jobqueue.harness.Mail", "such as List<Mail>"),
			arguments(new OfStream(), "has a batchSize, but takes java.util.stream.Stream", "such as List<Mail>"),
			arguments(new OfRawList(), "has a batchSize, but takes java.util.List", "such as List<Mail>"),
			arguments(new OfNumbers(), "takes java.lang.Integer, which cannot be a payload", "Take a record"),
			arguments(new WithContext(), "takes several jobs and one JobContext", "Take a JobBatch only"),
			arguments(new WithNumbers(), "takes several jobs, but returns a List",
					"Return void if all jobs succeed together, or a List<JobResult>"),
			arguments(new WithOneResult(), "takes several jobs, but returns a JobResult", "or a List<JobResult>"),
			arguments(new BatchWithResults(), "takes several jobs, but returns a List", "with JobBatch.complete"),
			arguments(new TooFew(), "has batchSize = 0", "from 2 to 1,000"),
			arguments(new TooMany(), "has batchSize = 1001", "from 2 to 1,000"),
			arguments(new TooLong(), "has batchWait = \"501ms\"", "from 0ms to 500ms"),
			arguments(new Negative(), "has batchWait = \"-1ms\"", "from 0ms to 500ms"),
			arguments(new OfLists(), "takes java.util.List<java.util.List<io.jobqueue.harness.Mail>>",
					"such as List<Mail>"),
			arguments(new WithoutUnit(), "has batchWait = \"20\"", "with its unit"),
			arguments(new SingleWithWait(), "has a batchWait, but takes a single job", "Remove batchWait"),
			arguments(new Once(), "has a batchSize and delivery = AT_MOST_ONCE", "choose another delivery") };

	static final Arguments[] SIGNATURES = { arguments(new ForAll()), arguments(new Answering()),
			arguments(new AnsweringWithSubtype()), arguments(new OfMaps()), arguments(new OfGeneric()),
			arguments(new Most()) };

	@ParameterizedTest
	@FieldSource("MISTAKES")
	void mistakeIsNamed(Object bean, String description, String action) {
		assertThatExceptionOfType(InvalidHandlerException.class).isThrownBy(() -> node(settings().bean(bean)))
			.satisfies((refusal) -> assertThat(refusal.getMessage()).contains(bean.getClass().getSimpleName(),
					description, action));
	}

	@Test
	void valueOfAPlaceholderIsNamed() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.addEmbeddedValueResolver((text) -> text.replace("${wait}", "2s"));
		beans.registerSingleton("bean", new WithPlaceholder());
		HandlerScanner scanner = new HandlerScanner(beans, new JobTypes(), new JacksonPayloadCodec());
		assertThatExceptionOfType(InvalidHandlerException.class).isThrownBy(scanner::scan)
			.withMessageContaining("has batchWait = \"2s\"");
	}

	@Test
	void resultOfNoJobIsRefused() {
		assertThatNullPointerException().isThrownBy(() -> new CalledJobs(List.of()).complete(null, JobResult.success()))
			.withMessage("'item' must not be null");
	}

	@ParameterizedTest
	@FieldSource("SIGNATURES")
	void signatureIsAccepted(Object bean) {
		assertThatNoException().isThrownBy(() -> node(settings().bean(bean)));
	}

	@Test
	void interceptorOfSingleJobsIsRefused() {
		assertThatExceptionOfType(InvalidHandlerException.class)
			.isThrownBy(() -> node(settings().bean(new ForAll()).bean(new OfRuns())))
			.withMessageContainingAll("ForAll.handle", "takes several jobs in one call, but the interceptor ", "OfRuns",
					"overrides aroundRun and not aroundBatch", "Override aroundBatch as well");
		assertThatNoException().isThrownBy(() -> node(settings().bean(new ForAll()).bean(new OfBoth())));
		assertThatNoException().isThrownBy(() -> node(settings().bean(new ForAll()).bean(new OfNeither())));
		assertThatNoException().isThrownBy(() -> node(settings().handler((mail, job) -> {
		}).bean(new OfRuns())));
	}

	static class WithoutSize {

		@JobHandler
		void handle(List<Mail> mails) {
		}

	}

	static class BatchWithoutSize {

		@JobHandler
		void handle(JobBatch<Mail> mails) {
		}

	}

	static class OfSingle {

		@JobHandler(batchSize = 10)
		void handle(Mail mail) {
		}

	}

	static class OfStream {

		@JobHandler(batchSize = 10)
		void handle(Stream<Mail> mails) {
		}

	}

	@SuppressWarnings("rawtypes")
	static class OfRawList {

		@JobHandler(batchSize = 10)
		void handle(List mails) {
		}

	}

	static class OfNumbers {

		@JobHandler(batchSize = 10, type = "number")
		void handle(List<Integer> numbers) {
		}

	}

	static class WithContext {

		@JobHandler(batchSize = 10)
		void handle(List<Mail> mails, JobContext job) {
		}

	}

	static class WithNumbers {

		@JobHandler(batchSize = 10)
		List<Integer> handle(List<Mail> mails) {
			return List.of();
		}

	}

	static class WithOneResult {

		@JobHandler(batchSize = 10)
		JobResult handle(List<Mail> mails) {
			return JobResult.success();
		}

	}

	static class BatchWithResults {

		@JobHandler(batchSize = 10)
		List<JobResult> handle(JobBatch<Mail> mails) {
			return List.of();
		}

	}

	static class TooFew {

		@JobHandler(batchSize = 0)
		void handle(List<Mail> mails) {
		}

	}

	static class TooMany {

		@JobHandler(batchSize = 1_001)
		void handle(List<Mail> mails) {
		}

	}

	static class TooLong {

		@JobHandler(batchSize = 10, batchWait = "501ms")
		void handle(List<Mail> mails) {
		}

	}

	static class WithPlaceholder {

		@JobHandler(batchSize = 10, batchWait = "${wait}")
		void handle(List<Mail> mails) {
		}

	}

	static class Negative {

		@JobHandler(batchSize = 10, batchWait = "-1ms")
		void handle(List<Mail> mails) {
		}

	}

	static class OfLists {

		@JobHandler(batchSize = 10, type = "mails")
		void handle(List<List<Mail>> mails) {
		}

	}

	static class WithoutUnit {

		@JobHandler(batchSize = 10, batchWait = "20")
		void handle(List<Mail> mails) {
		}

	}

	static class SingleWithWait {

		@JobHandler(batchWait = "20ms")
		void handle(Mail mail) {
		}

	}

	static class Once {

		@JobHandler(batchSize = 10, delivery = Delivery.AT_MOST_ONCE)
		void handle(List<Mail> mails) {
		}

	}

	@JobHandler(batchSize = 10, batchWait = "0ms")
	static class ForAll {

		void handle(List<? extends Mail> mails) {
		}

	}

	static class Answering {

		@JobHandler(batchSize = 2)
		List<JobResult> handle(List<Mail> mails) {
			return List.of();
		}

	}

	static class AnsweringWithSubtype {

		@JobHandler(batchSize = 1_000, batchWait = "500ms")
		List<JobResult.Success> handle(List<Mail> mails) {
			return List.of();
		}

	}

	static class OfMaps {

		@JobHandler(batchSize = 10, type = "map")
		void handle(List<Map<String, Object>> maps) {
		}

	}

	abstract static class Generic<T> {

		@JobHandler(batchSize = 10)
		void handle(JobBatch<T> jobs) {
		}

	}

	static class OfGeneric extends Generic<Mail> {

	}

	static class Most {

		@JobHandler(batchSize = 10, maxAttempts = 3, maxRunTime = "10s", backoff = "1s",
				delivery = Delivery.TRANSACTIONAL)
		void handle(List<Mail> mails) {
		}

	}

	static class OfRuns implements JobInterceptor {

		@Override
		public JobResult aroundRun(JobContext job, Callable<JobResult> next) throws Exception {
			return next.call();
		}

	}

	static class OfBoth extends OfRuns {

		@Override
		public List<JobResult> aroundBatch(List<JobContext> jobs, Callable<List<JobResult>> next) throws Exception {
			return next.call();
		}

	}

	static class OfNeither implements JobInterceptor {

	}

}
