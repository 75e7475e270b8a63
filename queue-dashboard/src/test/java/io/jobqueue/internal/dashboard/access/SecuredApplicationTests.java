package io.jobqueue.internal.dashboard.access;

import java.io.IOException;
import java.io.InputStream;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.access.hierarchicalroles.RoleHierarchyImpl;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.Workflows;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.view.Views;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with users, a login page, a context path and a path of its dispatcher
 * servlet, behind a proxy. Its own rules permit each request, and it answers all
 * exceptions of its handlers.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow") // starts web applications with logins
class SecuredApplicationTests {

	private final ConfigurableApplicationContext application = DashboardApplication.run(getClass().getClassLoader(),
			Application.class, "server.servlet.context-path=/app", "spring.mvc.servlet.path=/mvc",
			"server.forward-headers-strategy=framework", "jobqueue.dashboard.path=/ops/queue",
			"jobqueue.dashboard.roles.read=VIEWER", "jobqueue.dashboard.roles.write=OPERATOR");

	private final HttpClient client = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

	@AfterAll
	void stop() {
		this.application.close();
		JdbcClient.create(DashboardApplication.database().dataSource())
			.sql("TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_workflow, jobqueue_workflow_step, jobqueue_operator_log")
			.update();
	}

	@Test
	void browserWithoutALoginIsSentToTheLoginPage() {
		HttpResponse<String> answer = send(request("").header("Accept", "text/html"));
		assertThat(answer.statusCode()).isEqualTo(302);
		assertThat(answer.headers().firstValue("location").orElseThrow()).endsWith("/app/login");
	}

	@Test
	void clientWithoutALoginIsAskedForOne() {
		HttpResponse<String> answer = send(
				request("/assets/1/dashboard.css").header("X-Requested-With", "XMLHttpRequest"));
		assertThat(answer.statusCode()).isEqualTo(401);
		assertThat(answer.body()).doesNotContain("--back");
	}

	@ParameterizedTest
	@CsvSource({ "other, 403", "viewer, 200", "operator, 200", "admin, 200" })
	void rolesDecideWhoSees(String user, int status) {
		assertThat(send(as(user, request(""))).statusCode()).isEqualTo(status);
		assertThat(send(as(user, request("/unknown"))).statusCode()).isEqualTo((status == 200) ? 404 : 403);
		assertThat(send(as(user, request("/live")).method("HEAD", BodyPublishers.noBody())).statusCode())
			.isEqualTo(status);
	}

	@Test
	void linksContainThePathsOfTheApplication() {
		assertThat(send(as("viewer", request(""))).body()).contains("<a href=\"/app/mvc/ops/queue\"")
			.contains("hx-get=\"/app/mvc/ops/queue\"")
			.contains("data-live=\"/app/mvc/ops/queue/live\"");
	}

	@Test
	void linksContainThePrefixOfAProxy() {
		assertThat(send(as("viewer", request("").header("X-Forwarded-Prefix", "/outside"))).body())
			.contains("<a href=\"/outside/mvc/ops/queue\"");
	}

	@Test
	void formWithTheTokenOfItsPageIsAccepted() {
		String token = send(as("operator", request("/test"))).body();
		HttpResponse<String> answer = send(as("operator", form("/test", "_csrf=" + token)));
		assertThat(answer.statusCode()).isEqualTo(303);
		assertThat(answer.headers().firstValue("location")).hasValue("/app/mvc/ops/queue/jobs?done=retried");
	}

	@Test
	void formWithoutATokenIsRefused() {
		assertThat(send(as("operator", form("/test", "a=b"))).statusCode()).isEqualTo(403);
	}

	@Test
	void formOfAUserWhoMayNotWriteIsRefused() {
		String token = send(as("viewer", request("/test"))).body();
		assertThat(send(as("viewer", form("/test", "_csrf=" + token))).statusCode()).isEqualTo(403);
	}

	@Test
	void actionsAreForUsersWhoMayWrite() {
		assertThat(send(as("operator", request("/dead"))).body()).contains("/app/mvc/ops/queue/bulk/retry?state=DEAD");
		assertThat(send(as("viewer", request("/dead"))).body()).contains("<h1>Dead jobs</h1>").doesNotContain("/bulk/");
		String token = send(as("operator", request("/test"))).body();
		String job = "/jobs/01a2205d-b640-718a-8c2c-2f98d8c4e0a4/cancel";
		assertThat(send(as("viewer", form(job, "_csrf=" + token))).statusCode()).isEqualTo(403);
		assertThat(send(as("operator", form(job, "_csrf=" + token))).statusCode()).isEqualTo(404);
	}

	@Test
	void workflowsAreChangedByUsersWhoMayWrite() {
		UUID instance = DashboardApplication.bean(Workflows.class).start("fulfilment", "order 7").id();
		String page = "/workflows/" + instance;
		assertThat(send(as("operator", request(page))).body()).contains("/app/mvc/ops/queue" + page + "/cancel");
		assertThat(send(as("viewer", request(page))).body()).contains(instance.toString(), "PayBack")
			.doesNotContain("/cancel", "Actions on this instance");
		String token = send(as("operator", request("/test"))).body();
		assertThat(send(as("operator", form(page + "/cancel", ""))).statusCode()).isEqualTo(403);
		assertThat(send(as("viewer", form(page + "/cancel", "_csrf=" + token))).statusCode()).isEqualTo(403);
		assertThat(send(as("operator", form(page + "/cancel", "_csrf=" + token))).statusCode()).isEqualTo(303);
		assertThat(send(as("operator", request("/log"))).body()).contains("cancel-workflow", page);
	}

	@Test
	@Timeout(60)
	void streamEndsWithItsSession() throws IOException, InterruptedException {
		String token = send(as("operator", request("/test"))).body();
		HttpResponse<InputStream> stream = this.client.send(as("operator", request("/live")).build(),
				BodyHandlers.ofInputStream());
		assertThat(stream.statusCode()).isEqualTo(200);
		assertThat(send(as("operator", form("/session/end", "_csrf=" + token))).statusCode()).isEqualTo(204);
		assertThat(new String(stream.body().readAllBytes(), StandardCharsets.UTF_8)).startsWith("retry: 2000");
		assertThat(send(request("/live").header("Accept", "text/event-stream")).statusCode()).isNotEqualTo(200);
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:%s/app/mvc/ops/queue%s"
			.formatted(this.application.getEnvironment().getRequiredProperty("local.server.port"), path)));
	}

	private HttpRequest.Builder form(String path, String body) {
		return request(path).header("Content-Type", MediaType.APPLICATION_FORM_URLENCODED_VALUE)
			.POST(BodyPublishers.ofString(body));
	}

	private static HttpRequest.Builder as(String user, HttpRequest.Builder request) {
		return request.header("Authorization",
				"Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8)));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) {
		try {
			return this.client.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * The application, with a form.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		/**
		 * Answers all exceptions, as many applications do.
		 */
		@RestControllerAdvice
		static class AllExceptions {

			@ExceptionHandler(Exception.class)
			@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
			void handle() {
			}

		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.formLogin(Customizer.withDefaults())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		UserDetailsService users() {
			User.UserBuilder user = User.builder().password("{noop}secret");
			return new InMemoryUserDetailsManager(user.username("viewer").roles("VIEWER").build(),
					user.username("operator").roles("OPERATOR").build(), user.username("other").roles("OTHER").build(),
					user.username("admin").roles("ADMIN").build());
		}

		@Bean
		RoleHierarchy roles() {
			return RoleHierarchyImpl.withDefaultRolePrefix().role("ADMIN").implies("OPERATOR").build();
		}

		@Bean
		DashboardRoutes form(Views views, DashboardAccess access) {
			return (routes) -> routes.GET("/test", (request) -> {
				Csrf token = access.csrf(request.servletRequest());
				return ServerResponse.ok().body((token != null) ? token.token() : "");
			})
				.POST("/test", (request) -> views.redirect(request, "/jobs", "retried"))
				.POST("/session/end", (request) -> {
					request.session().invalidate();
					return ServerResponse.noContent().build();
				});
		}

	}

}
