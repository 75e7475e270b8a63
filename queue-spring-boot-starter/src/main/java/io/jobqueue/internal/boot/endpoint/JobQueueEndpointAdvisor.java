package io.jobqueue.internal.boot.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationArgumentResolver;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/**
 * {@link OperationInvokerAdvisor} that passes all parameters of a request to the
 * operations of {@link JobQueueEndpoint}, undeclared ones included, and maps their
 * exceptions to responses.
 */
public final class JobQueueEndpointAdvisor implements OperationInvokerAdvisor {

	private static final EndpointId ENDPOINT = EndpointId.of(JobQueueEndpoint.ID);

	@Override
	public OperationInvoker apply(EndpointId endpoint, OperationType type, OperationParameters parameters,
			OperationInvoker invoker) {
		return endpoint.equals(ENDPOINT) ? (context) -> answer(context, parameters, invoker) : invoker;
	}

	private static @Nullable Object answer(InvocationContext context, OperationParameters parameters,
			OperationInvoker invoker) {
		Map<String, @Nullable Object> named = new LinkedHashMap<>(context.getArguments());
		parameters.forEach((parameter) -> named.remove(parameter.getName()));
		SecurityContext user = Objects.requireNonNull(context.resolveArgument(SecurityContext.class));
		try {
			return invoker.invoke(new InvocationContext(user, context.getArguments(),
					OperationArgumentResolver.of(RequestParameters.class, () -> new RequestParameters(named))));
		}
		catch (RuntimeException ex) {
			return ErrorResponses.answer(ex);
		}
	}

}
