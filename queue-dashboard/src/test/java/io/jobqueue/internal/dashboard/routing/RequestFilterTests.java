package io.jobqueue.internal.dashboard.routing;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.jobqueue.internal.dashboard.DashboardTestBase;
import io.jobqueue.internal.dashboard.view.Section;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Headers of all responses, and answers to requests for no page.
 */
class RequestFilterTests extends DashboardTestBase {

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "/unknown", "/assets/1/dashboard.css" })
	void everyResponseHasTheHeaders(String path) {
		assertThat(get(path).headers().map()).containsEntry("x-content-type-options", List.of("nosniff"))
			.containsEntry("referrer-policy", List.of("no-referrer"))
			.containsEntry("cache-control", List.of("no-store"))
			.doesNotContainKey("set-cookie")
			.hasEntrySatisfying("content-security-policy",
					(policy) -> assertThat(policy).singleElement()
						.asString()
						.startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
						.doesNotContain("unsafe"));
	}

	@Test
	void unknownPathIsNotFound() {
		HttpResponse<String> answer = get("/no/such/page?%3Cscript%3E");
		assertThat(answer.statusCode()).isEqualTo(404);
		assertThat(answer.body()).contains("There is no such page.", "<nav").doesNotContain("<script>");
	}

	@Test
	void otherMethodIsNotAllowed() {
		HttpResponse<String> answer = post("/", Map.of());
		assertThat(answer.statusCode()).isEqualTo(405);
		assertThat(answer.headers().firstValue("allow")).hasValue("GET, HEAD");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/jobs/01a22150-0000-7000-8000-000000000000", "/batches/b", "/workflows/w", "/bulk/retry" })
	void otherMethodOfAPageWithAVariableIsNotAllowed(String path) {
		HttpResponse<String> answer = put(path);
		assertThat(answer.statusCode()).isEqualTo(405);
		assertThat(answer.headers().firstValue("allow").orElseThrow()).startsWith("GET, HEAD");
	}

	/**
	 * As checks of load balancers request them.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "", "/", "/jobs", "/live", "/dead?queue=emails" })
	void headIsAnsweredAsGetWithoutABody(String path) {
		HttpResponse<String> answer = head(path);
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(answer.body()).isEmpty();
		assertThat(head("/unknown").statusCode()).isEqualTo(404);
		assertThat(head("/queues/pause").statusCode()).isEqualTo(405);
	}

	@ParameterizedTest
	@CsvSource({ "/jobs/, /jobqueue/jobs", "/dead/?queue=a%20b, /jobqueue/dead?queue=a%20b",
			"/batches/%3Cb%3E/, /jobqueue/batches/%3Cb%3E" })
	void slashAtTheEndLeadsToThePage(String path, String location) {
		HttpResponse<String> answer = get(path);
		assertThat(answer.statusCode()).isEqualTo(308);
		assertThat(answer.headers().firstValue("location")).hasValue(location);
		assertThat(head(path).statusCode()).isEqualTo(308);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/unknown/", "/jobs//", "/queues/pause/", "//example.org/" })
	void slashAtTheEndOfNoPageIsNotFound(String path) {
		assertThat(get(path).statusCode()).isEqualTo(404);
		assertThat(post("/jobs/", Map.of()).statusCode()).isEqualTo(404);
	}

	static Stream<String> pages() {
		return Stream.concat(Stream.of(Section.values()).map(Section::path),
				Stream.of("/", "/jobs/01a2205d-b640-718a-8c2c-2f98d8c4e0a4",
						"/batches/01a2205d-b640-718a-8c2c-2f98d8c4e0a4",
						"/workflows/01a2205d-b640-718a-8c2c-2f98d8c4e0a4", "/charts/age.json", "/bulk/delete"));
	}

	/**
	 * A condition that is mistyped must not show, or change, more jobs.
	 */
	@ParameterizedTest
	@MethodSource("pages")
	void unknownParameterIsRefusedAndNamed(String path) {
		HttpResponse<String> answer = get(path + "?quue=emails");
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.body()).containsPattern("Unknown parameter 'quue': (remove it|the known ones are)");
		assertThat(get(path + "?continue&done=x").statusCode()).isNotEqualTo(400);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/dead?queue=emails&queue=letters", "?range=day&range=week", "/pauses?queue=a&queue=b",
			"/log?operator=a&operator=b", "?range=zzz", "/charts/age.json?range=zzz", "/log?operation=nope",
			"/batches?after=zzz", "/workflows?name=a&after=zzz", "/workflows?name=a&state=zzz" })
	void doubledOrUnknownValueIsRefusedAndNamed(String path) {
		HttpResponse<String> answer = get(path);
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.body()).containsPattern("is given more than once|'zzz'|'nope'");
	}

	@Test
	void parameterWithoutAValueIsIgnored() {
		assertThat(get("/log?operator=").statusCode()).isEqualTo(200);
		assertThat(get("?range=&queue=").statusCode()).isEqualTo(200);
	}

	/**
	 * A link of others must not make a page say something.
	 */
	@ParameterizedTest
	@CsvSource({ "/jobs?done=job.delete, true", "/jobs?done=The%20job%20is%20deleted., false",
			"/recurring?done=job.delete, false", "?done=job.delete, false" })
	void onlyMessagesOfTheSectionAreShown(String path, boolean shown) {
		assertThat(get(path).body().contains("The job is deleted.")).isEqualTo(shown);
	}

	@Test
	void parametersThatTheServerRefusesAreABadRequest() {
		Map<String, String> many = IntStream.range(0, 1_100)
			.boxed()
			.collect(Collectors.toMap((index) -> "field" + index, String::valueOf));
		HttpResponse<String> answer = post("/queues/pause", many);
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.body()).contains("cannot read the parameters");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/dead?queue=%00&fingerprint=a", "/charts/age.json?queue=%00",
			"/log?after=%2B1000000000-12-31T23:59:59Z_01a220f3-57e9-7000-9e2e-4325530732b6",
			"/log?after=-1000000000-01-01T00:00:00Z_01a220f3-57e9-7000-9e2e-4325530732b6" })
	void valueThatNoRowCanHaveIsABadRequest(String path) {
		assertThat(get(path).statusCode()).isEqualTo(400);
	}

	@Test
	void fileIsCachedUnderItsHash() {
		String page = get("").body();
		String file = page.replaceAll("(?s).*href=\"/jobqueue(/assets/\\w+/dashboard.css)\".*", "$1");
		HttpResponse<String> answer = get(file);
		assertThat(answer.headers().allValues("cache-control")).containsExactly("private, max-age=31536000, immutable");
		assertThat(answer.headers().firstValue("content-type")).hasValue("text/css;charset=UTF-8");
	}

}
